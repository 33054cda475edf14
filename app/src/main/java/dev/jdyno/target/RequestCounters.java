package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Throughput;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/// What the container in the target counted from {@link #open} to {@link #take}, read over the
/// JVM's local JMX connector.
///
/// JMX itself knows no time limit, so a thread of its own asks: a target that stops or dies costs
/// the limit and an error, and that thread is left behind.
public final class RequestCounters implements AutoCloseable {
    /// For each question: long enough for a JVM that swaps or collects, short beside the time that
    /// is watched.
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final NanoClock clock;
    private final ExecutorService asking =
            Executors.newSingleThreadExecutor(
                    task -> Thread.ofPlatform().daemon().name("jdyno-jmx").unstarted(task));
    private @Nullable JMXConnector connector;
    private Optional<RequestCounts> before = Optional.empty();
    private long since;

    private RequestCounters(NanoClock clock) {
        this.clock = clock;
    }

    /// Starts the JVM's local connector, which then runs until the JVM ends.
    ///
    /// @return whether it did not run before
    /// @throws UserError when the JVM refuses
    public static boolean startConnector(Target target) throws InterruptedException {
        if (LocalConnector.address(target).isPresent()) {
            return false;
        }
        LocalConnector.start(target);
        return true;
    }

    /// Reads the counters for the first time. Starts nothing.
    ///
    /// @throws UserError when the connector does not run or cannot be reached, or no container has
    ///   a counter there
    public static RequestCounters open(Target target, NanoClock clock) throws InterruptedException {
        String address =
                LocalConnector.address(target)
                        .orElseThrow(() ->
                                refused(
                                        "its local JMX connector does not run",
                                        "`jdyno diagnose "
                                                + target.pid()
                                                + " --jmx` starts it, for as long as the JVM"
                                                + " lives"));
        var counters = new RequestCounters(clock);
        try {
            counters.before =
                    counters.within(() -> {
                        JMXConnector connected = LocalConnector.connect(address);
                        counters.connector = connected;
                        return RequestCounts.read(connected.getMBeanServerConnection());
                    });
            counters.since = clock.nanos();
            if (counters.before.isEmpty()) {
                throw refused(
                        "no container counts requests in its MBeans",
                        "Spring Boot registers Tomcat's with"
                                + " server.tomcat.mbeanregistry.enabled=true; Jetty needs a"
                                + " StatisticsHandler and an MBeanContainer");
            }
            return counters;
        } catch (UserError | InterruptedException failed) {
            counters.close();
            throw failed;
        }
    }

    /// The load since the counters were opened.
    ///
    /// @throws UserError when the JVM no longer answers or its counters do not go on
    public Throughput take() throws InterruptedException {
        RequestCounts first = before.orElseThrow(() -> new IllegalStateException("was not opened"));
        RequestCounts now = within(() -> first.again(beans()));
        double seconds = clock.secondsSince(since);
        return now.since(first, seconds)
                .orElseThrow(() ->
                        refused(
                                "its counters began anew meanwhile",
                                "was the container restarted or its statistics reset? ask again"));
    }

    private MBeanServerConnection beans() throws IOException {
        JMXConnector open = connector;
        if (open == null) {
            throw new IOException("not connected");
        }
        return open.getMBeanServerConnection();
    }

    private <T> T within(Callable<T> question) throws InterruptedException {
        Future<T> answer = asking.submit(question);
        try {
            return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            throw refused(
                            "it gave no answer over JMX within " + LIMIT.toSeconds() + " s",
                            "is it stopped or short of memory?")
                    .causedBy(tooLong);
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause() == null ? failed : failed.getCause();
            throw refused(
                            "its MBeans cannot be read over JMX: " + why,
                            "run jdyno in the target's network namespace")
                    .causedBy(why);
        }
    }

    /// Ends the connection in the background: a target that hangs holds nobody up.
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

    private static UserError refused(String why, String fix) {
        return UserError.target("the container's request counter cannot be read", why, fix);
    }
}
