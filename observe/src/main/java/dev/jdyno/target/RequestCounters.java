package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.util.Optional;
import javax.management.JMException;

/// Requests that the container in the target counted from {@link #open}, or from the last {@link
/// #restart}, to {@link #take}. They are read over the JVM's local JMX connector.
public final class RequestCounters implements AutoCloseable {
    private final NanoClock clock;
    private final JmxSession jmx;
    private Optional<RequestCounts> before = Optional.empty();
    private long since;

    private RequestCounters(NanoClock clock, JmxSession jmx) {
        this.clock = clock;
        this.jmx = jmx;
    }

    /// Starts the JVM's local connector, which then runs until the JVM ends.
    ///
    /// @return true if it did not run before
    /// @throws UserError when the JVM refuses
    public static boolean startConnector(Target target) throws InterruptedException {
        if (LocalConnector.address(target).isPresent()) {
            return false;
        }
        LocalConnector.start(target);
        return true;
    }

    /// Reads the counters for the first time. It does not start the connector.
    ///
    /// @throws UserError when the connector does not run or cannot be reached, or no container has
    ///   a counter
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
        var counters = new RequestCounters(clock, JmxSession.to(address));
        try {
            counters.before = counters.ask(RequestCounts::read);
            counters.since = clock.nanos();
            if (counters.before.isEmpty()) {
                throw refused(
                        "no container counts requests in its MBeans",
                        "Spring Boot registers Tomcat's with"
                                + " server.tomcat.mbeanregistry.enabled=true; Jetty needs a"
                                + " StatisticsHandler and an MBeanContainer");
            }
            return counters;
        } catch (RuntimeException | InterruptedException failed) {
            counters.close();
            throw failed;
        }
    }

    /// Begins the next window now.
    ///
    /// @throws UserError when the JVM no longer answers
    public void restart() throws InterruptedException {
        RequestCounts first = before.orElseThrow(() -> new IllegalStateException("was not opened"));
        before = Optional.of(ask(first::again));
        since = clock.nanos();
    }

    /// The load of the window so far.
    ///
    /// @throws UserError when the JVM no longer answers or its counters were reset
    public Throughput take() throws InterruptedException {
        RequestCounts first = before.orElseThrow(() -> new IllegalStateException("was not opened"));
        RequestCounts now = ask(first::again);
        double seconds = clock.secondsSince(since);
        return now.since(first, seconds)
                .orElseThrow(() ->
                        refused(
                                "its counters began anew meanwhile",
                                "was the container restarted or its statistics reset? ask again"));
    }

    private <T> T ask(JmxSession.Question<T> question) throws InterruptedException {
        try {
            return jmx.ask(question);
        } catch (JmxSession.NoAnswer tooLong) {
            throw refused(String.valueOf(tooLong.getMessage()), "is it stopped or short of memory?")
                    .causedBy(tooLong);
        } catch (IOException | JMException | RuntimeException why) {
            throw refused(
                            "its MBeans cannot be read over JMX: " + why,
                            "run jdyno in the target's network namespace")
                    .causedBy(why);
        }
    }

    /// Ends the connection; a hanging target delays no thread.
    @Override
    public void close() {
        jmx.close();
    }

    private static UserError refused(String why, String fix) {
        return UserError.target("the container's request counter cannot be read", why, fix);
    }
}
