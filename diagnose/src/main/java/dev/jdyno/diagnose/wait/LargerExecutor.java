package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.gain.NeededPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// The size of an executor with only busy threads for the load of the report, at most what reaches
/// the next limit. By the utilization law (F2), the number of threads grows in proportion to
/// throughput.
///
/// @param pool the pool that is too small
/// @param needed the number of threads that it should have, and their gain
record LargerExecutor(ThreadSamples.Pool pool, NeededPlaces needed) {
    /// Ratio of throughputs below which a few more threads reach the next limit.
    private static final double WORTH_SIZING = 1.1;

    /// @param qps throughput that the limit allows
    /// @param says the limit, as a clause
    private record Next(double qps, String says) {}

    /// Empty if no limit behind the pool is known, or if it is almost reached.
    static Optional<LargerExecutor> of(Situation s, ThreadSamples.Pool pool) {
        double best = s.now().qps();
        return best <= 0
                ? Optional.empty()
                : limits(s, pool)
                        .min(Comparator.comparingDouble(Next::qps))
                        .filter(n -> n.qps() >= WORTH_SIZING * best)
                        .map(n -> of(s, pool, n));
    }

    private static Stream<Next> limits(Situation s, ThreadSamples.Pool pool) {
        Stream<Next> byCpu =
                s.cpuAllows(0).stream().map(times -> new Next(s.now().qps() * times, "CPU alone"));
        Stream<Next> byChain =
                WaitChain.of(s.evidence()).filter(c -> c.last().name().equals(pool.name())).stream()
                        .flatMap(c -> c.waiting().stream())
                        .flatMap(p -> before(s, p).stream());
        return Stream.concat(byCpu, byChain);
    }

    private static Optional<Next> before(Situation s, ThreadSamples.Pool waiting) {
        return WaitChain.capacity(s.evidence(), waiting)
                .map(c ->
                        new Next(
                                c.qps(),
                                say(
                                        "%s, of whose %.0f threads a request needs %s ms at N=%d,",
                                        waiting.name(),
                                        waiting.size(),
                                        Lines.ms(c.demandMs()),
                                        c.concurrency())));
    }

    private static LargerExecutor of(Situation s, ThreadSamples.Pool pool, Next next) {
        double ratio = next.qps() / s.now().qps();
        int allowed = (int) Math.ceil(pool.size() * ratio);
        // a request's own work and waits stay, however many threads there are
        Gain gain =
                s.atLeast(
                        Gain.of(
                                ratio,
                                1 / ratio,
                                true,
                                say(
                                        "%.0f threads let %.3g times as much through (F2); %s allows"
                                                + " %.2f times",
                                        (double) allowed,
                                        allowed / pool.size(),
                                        next.says(),
                                        ratio)),
                        1);
        // tasks of a request that is alone may wait for a thread, too
        double aloneMs = s.aloneMs() / ratio;
        return new LargerExecutor(
                pool,
                NeededPlaces.of(
                        s,
                        pool.size(),
                        allowed,
                        gain,
                        new WhatIfChange.Threads(allowed),
                        aloneMs,
                        false));
    }

    int threads() {
        return needed.size();
    }

    Gain gain() {
        return needed.gain();
    }

    String says() {
        return needed.isLess()
                ? say(
                        "Give %s %d threads for %d requests in flight: it has %.0f",
                        pool.name(), threads(), needed.concurrency(), pool.size())
                : say("Give %s %d threads: it has %.0f", pool.name(), threads(), pool.size());
    }

    /// Returns how the number follows from the load, as clauses before another one.
    String enough() {
        return needed.says();
    }
}
