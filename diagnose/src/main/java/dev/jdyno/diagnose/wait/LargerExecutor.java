package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// The size that an executor with only busy threads needs to reach the next limit. By the
/// utilization law (F2), the number of threads grows in proportion to throughput.
///
/// @param pool the pool that is too small
/// @param threads the number of threads that it should have
/// @param ratio throughput that the next limit allows ÷ best measured throughput
/// @param next the next limit, as a clause
record LargerExecutor(ThreadSamples.Pool pool, int threads, double ratio, String next) {
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
                        .map(n ->
                                new LargerExecutor(
                                        pool,
                                        (int) Math.ceil(pool.size() * n.qps() / best),
                                        n.qps() / best,
                                        n.says()));
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

    String says() {
        return say("Give %s %d threads: it has %.0f", pool.name(), threads, pool.size());
    }

    /// Returns the gain. A request's own work and waits stay, however many threads there are.
    Gain gain(Situation s) {
        return s.atLeast(
                Gain.of(
                        ratio,
                        1 / ratio,
                        true,
                        say(
                                "%.0f threads let %.3g times as much through (F2); %s allows %.2f"
                                        + " times",
                                (double) threads, threads / pool.size(), next, ratio)),
                1);
    }
}
