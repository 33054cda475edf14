package dev.jdyno.target;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/// Requests to a JVM over its local JMX connector.
///
/// JMX has no timeouts, so a separate thread sends the requests. If a JVM stops or dies, the caller
/// gets an error after the limit, and that thread is abandoned.
final class JmxSession implements AutoCloseable {
    /// Maximum time for each request: long enough for a JVM that swaps or collects, short compared
    /// with the observation time.
    static final Duration LIMIT = Duration.ofSeconds(5);

    /// A request to the JVM's MBeans.
    interface Question<T> {
        T ask(MBeanServerConnection beans) throws IOException, JMException;
    }

    /// The JVM did not answer in time.
    static final class NoAnswer extends IOException {
        private static final long serialVersionUID = 1;

        NoAnswer(TimeoutException after) {
            super("it gave no answer over JMX within " + LIMIT.toSeconds() + " s", after);
        }
    }

    private final ExecutorService asking =
            Executors.newSingleThreadExecutor(
                    task -> Thread.ofPlatform().daemon().name("jdyno-jmx").unstarted(task));
    private final String address;
    // used only by the requesting thread
    private @Nullable JMXConnector connector;

    private JmxSession(String address) {
        this.address = address;
    }

    /// @param address address of the connector, from {@link LocalConnector#address}; the first
    ///   request connects to it
    static JmxSession to(String address) {
        return new JmxSession(address);
    }

    /// @throws NoAnswer when it takes longer than the limit; the request then continues, and others
    ///   wait behind it
    /// @throws IOException when the JVM cannot be reached, or no longer
    /// @throws JMException as the MBeans answer
    <T> T ask(Question<T> question) throws IOException, JMException, InterruptedException {
        Future<T> answer = asking.submit(() -> question.ask(beans()));
        try {
            return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            throw new NoAnswer(tooLong);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException e -> throw e;
                case JMException e -> throw e;
                case RuntimeException e -> throw e;
                case null, default -> throw new IOException(failed.getCause());
            }
        }
    }

    private MBeanServerConnection beans() throws IOException {
        JMXConnector open = connector;
        if (open == null) {
            open = LocalConnector.connect(address);
            connector = open;
        }
        return open.getMBeanServerConnection();
    }

    /// Ends the connection in the background, so that a hanging target delays no thread.
    @Override
    public void close() {
        asking.execute(() -> {
            try {
                if (connector != null) {
                    connector.close();
                }
            } catch (IOException ended) {
                // the target is gone, and the connection with it
            }
        });
        asking.shutdown();
    }
}
