package dev.jdyno.trial.watch;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.throughput.DataSegments;
import dev.jdyno.observe.throughput.LineCount;
import dev.jdyno.target.RequestCounters;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Throughput of a service under another user's load, from {@link #begin} to {@link #take}. Sources
/// are the access log if there is one, else the container's own counters, else the data segments of
/// its connections. If none of them is available, the reason is reported and nothing fails.
final class RequestRate implements AutoCloseable {
    private final NanoClock clock;
    private final Optional<LineCount> lines;
    private final List<Warning> warnings;
    private final List<String> means = new ArrayList<>();
    private final List<Unseen> missing = new ArrayList<>();
    private Optional<RequestCounters> counters = Optional.empty();

    /// The reason why the container's counters are not read; empty if they are. Without them, data
    /// segments are counted.
    private Optional<UserError> uncounted = Optional.empty();

    private Optional<DataSegments> segments = Optional.empty();
    private final List<LogGrowth.LogCount> looks = new ArrayList<>();
    private long start;

    /// Seconds after the start at the last call of {@link #since}.
    private double countedS;

    /// The container's requests since the start.
    private final CountGrowth counted = new CountGrowth();

    private RequestRate(NanoClock clock, Optional<LineCount> lines, List<Warning> warnings) {
        this.clock = clock;
        this.lines = lines;
        this.warnings = warnings;
    }

    /// @param startJmx whether the JVM's JMX connector may be started, which cannot be undone
    /// @param warnings receives warnings for the reader of the result
    static RequestRate begin(
            Target target,
            NanoClock clock,
            Optional<LineCount> lines,
            boolean startJmx,
            List<Warning> warnings)
            throws InterruptedException {
        var rate = new RequestRate(clock, lines, warnings);
        try {
            if (lines.isPresent()) {
                // lines from before the beginning do not count
                lines.get().take();
                lines.get().takeEndpoints();
            } else {
                if (startJmx && RequestCounters.startConnector(target)) {
                    warnings.add(
                            new Warning(
                                    "jmx-started",
                                    "the JVM's local JMX connector was started; it stays until the"
                                            + " JVM ends",
                                    false));
                }
                rate.counters = Optional.of(RequestCounters.open(target, clock));
            }
        } catch (UserError unseen) {
            rate.uncounted = Optional.of(unseen);
            rate.segments = Optional.of(DataSegments.of(target, clock));
        } catch (IOException gone) {
            rate.warn(gone);
        }
        rate.start = clock.nanos();
        return rate;
    }

    /// True if only data segments can be counted.
    boolean isBySegments() {
        return segments.isPresent();
    }

    private void warn(IOException gone) {
        var unread =
                new Warning(
                        "access-log", "the access log cannot be read: " + gone.getMessage(), false);
        if (!warnings.contains(unread)) {
            warnings.add(unread);
        }
    }

    private void miss(UserError unseen) {
        missing.add(new Unseen("requests", unseen.why(), unseen.fix() + "; or give --access-log"));
    }

    /// Reads the counts that are made outside of the JVM. With an access log, it is to be called
    /// about once a second, because the growth of the log shows how reliable its lines are.
    void look() throws InterruptedException {
        if (segments.isPresent()) {
            segments.get().sample();
        }
        lines.ifPresent(this::look);
    }

    private void look(LineCount log) {
        try {
            looks.add(new LogGrowth.LogCount(clock.secondsSince(start), log.take()));
        } catch (IOException gone) {
            warn(gone);
        }
    }

    /// Requests since the last call, or since the beginning; empty if they cannot be counted within
    /// seconds, for example in an access log that is written in bursts.
    Optional<Double> since() throws InterruptedException {
        double fromS = countedS;
        countedS = clock.secondsSince(start);
        double seconds = countedS - fromS;
        if (segments.isPresent()) {
            return segments.get().perS(fromS, countedS).map(perS -> perS * seconds);
        }
        if (lines.isPresent()) {
            double requests =
                    looks.stream()
                            .filter(l -> l.atS() > fromS)
                            .mapToLong(LogGrowth.LogCount::lines)
                            .sum();
            return Optional.of(requests).filter(_ -> !new LogGrowth(looks).inBursts());
        }
        return byContainer();
    }

    /// Requests by endpoint since the last call, or since the beginning, in the lines that {@link
    /// #look} read. Empty if they are not known.
    Map<String, Double> endpoints() {
        return lines.map(LineCount::takeEndpoints).orElse(Map.of());
    }

    private Optional<Double> byContainer() throws InterruptedException {
        if (counters.isEmpty()) {
            return Optional.empty();
        }
        try {
            return counted.to(counters.get().take().perS() * clock.secondsSince(start));
        } catch (UserError unseen) {
            // {@link #take} reports the failure if it lasts
            counted.failed();
            return Optional.empty();
        }
    }

    /// Throughput since the beginning; empty if requests were not counted.
    Optional<Throughput> take() throws InterruptedException {
        try {
            if (counters.isPresent()) {
                Throughput counted = counters.get().take();
                means.add("jmx");
                return Optional.of(counted);
            }
        } catch (UserError unseen) {
            miss(unseen);
        }
        return segments.isPresent() ? bySegments(segments.get()) : lines.flatMap(this::byLog);
    }

    private Optional<Throughput> bySegments(DataSegments seen) {
        try {
            Throughput reported = seen.take();
            means.add("segments");
            warnings.add(
                    new Warning(
                            "segments",
                            "throughput is from data segments, one request at a time on each"
                                    + " connection: with HTTP/2, gRPC, WebSockets or pipelining,"
                                    + " it is not the rate of requests"
                                    + uncounted
                                            .map(u -> " (" + u.why() + ": " + u.fix() + ")")
                                            .orElse(""),
                            false));
            return Optional.of(reported);
        } catch (UserError unseen) {
            uncounted.ifPresent(this::miss);
            missing.add(new Unseen("data segments", unseen.why()));
            return Optional.empty();
        }
    }

    private Optional<Throughput> byLog(LineCount log) {
        if (looks.isEmpty()) {
            look(log);
        }
        var growth = new LogGrowth(looks);
        growth.warning(log.rotations(), log.truncations())
                .ifPresent(says -> warnings.add(new Warning("access-log", says, false)));
        return growth.throughput();
    }

    /// The source of the throughput, in addition to the sources of every run; complete after {@link
    /// #take}.
    List<String> means() {
        return means;
    }

    /// The unknown figures, each with the reason; complete after {@link #take}.
    List<Unseen> missing() {
        return missing;
    }

    @Override
    public void close() {
        counters.ifPresent(RequestCounters::close);
        lines.ifPresent(LineCount::close);
    }
}
