package dev.jdyno.junit;

import dev.jdyno.junit.FigureAssert.Measured;
import java.util.Comparator;
import java.util.Optional;

/// Assertions on the result of `jdyno run`. Each returns this object, so that calls can be chained.
public final class RunAssert {
    private final RunResult result;

    RunAssert(RunResult result) {
        this.result = result;
    }

    /// The highest rate that keeps goals, such as `p99<100ms,errors<0.1%`, in requests per second.
    /// After a search for these goals ({@link Dynamometer#goal}), it is the highest rate that was
    /// verified. Otherwise it is the highest throughput of the measured loads that keep the goals,
    /// or 0 if no load keeps them.
    ///
    /// @throws IllegalArgumentException when the text is not a list of goals
    public FigureAssert<RunAssert> rateUnder(String goals) {
        Goals wanted = Goals.of(goals);
        Optional<Json> search = result.goal().filter(g -> wanted.isSame(g.texts("goals")));
        if (search.isPresent()) {
            Json found = search.get();
            Optional<Double> good = found.number("goodPerS");
            return figure(
                    "rate under " + goals,
                    "requests/s",
                    Optional.of(good.orElse(0.0)),
                    good.flatMap(g -> found.number("badPerS").map(b -> new Interval(g, b))),
                    found.text("says").map(s -> "; " + s).orElse(""));
        }
        Optional<Round> best =
                result.rounds().stream()
                        .filter(wanted::isKept)
                        .max(Comparator.comparingDouble(Round::qps));
        return figure(
                "rate under " + goals,
                "requests/s",
                Optional.of(best.map(Round::qps).orElse(0.0)),
                best.flatMap(Round::qpsCi95),
                best.map(RunAssert::at).orElse("; no measured load keeps it"));
    }

    /// The highest throughput of the measured loads, in requests per second.
    public FigureAssert<RunAssert> throughput() {
        Round max = result.mostThroughput();
        return figure("throughput", "requests/s", Optional.of(max.qps()), max.qpsCi95(), at(max));
    }

    /// CPU time of the observed JVM per request, in ms, at the load with the most throughput.
    public FigureAssert<RunAssert> cpuMsPerRequest() {
        Round max = result.mostThroughput();
        return figure("CPU per request", "ms", max.cpuMsPerRequest(), Optional.empty(), at(max));
    }

    /// Bytes that the observed JVM allocates per request, at the load with the most throughput.
    public FigureAssert<RunAssert> allocatedBytesPerRequest() {
        Round max = result.mostThroughput();
        return figure(
                "allocation per request",
                "bytes",
                max.allocatedBytesPerRequest(),
                Optional.empty(),
                at(max));
    }

    /// The largest share of failed requests of any measured load, 0…1.
    public FigureAssert<RunAssert> errorShare() {
        Optional<Round> worst =
                result.rounds().stream().max(Comparator.comparingDouble(Round::errorShare));
        return figure(
                "failed requests",
                "of all",
                worst.map(Round::errorShare),
                Optional.empty(),
                worst.map(RunAssert::at).orElse(""));
    }

    /// Assertions on the name of the bottleneck.
    public NameAssert<RunAssert> bottleneck() {
        return new NameAssert<>(this, result.bottleneck(), result.says() + "\n  " + result.where());
    }

    private FigureAssert<RunAssert> figure(
            String name, String unit, Optional<Double> value, Optional<Interval> ci95, String at) {
        return new FigureAssert<>(this, new Measured(name, unit, value, ci95, at, result.where()));
    }

    private static String at(Round round) {
        return " with " + round.concurrency() + " in flight";
    }
}
