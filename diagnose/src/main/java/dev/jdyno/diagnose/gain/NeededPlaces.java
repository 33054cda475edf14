package dev.jdyno.diagnose.gain;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Optional;

/// The size that a larger pool needs for its predicted gain at the load of the report. A
/// recommendation thus gives a size and a gain for the same load.
///
/// By Little's law, each place of a full pool of k places serves X / k requests per second. A
/// throughput of X' keeps k · X' / X places in use on average. Their number varies, so a reserve of
/// two standard deviations of a Poisson number is added, 2 · √(k · X' / X). If each request holds
/// one place, at most as many places are needed as requests are in flight.
///
/// @param size places for the gain at that load; the proposed size if the gain needs all of them
/// @param proposed size for the best gain, which may need more requests in flight than the load of
///   the report
/// @param inUse mean number of places in use after the change
/// @param ratio throughput at that load, after ÷ before
/// @param concurrency requests in flight for which this size is sufficient
/// @param gain the gain of this size at any load
/// @param more a larger size that gives more with more requests in flight
public record NeededPlaces(
        int size,
        int proposed,
        double inUse,
        double ratio,
        int concurrency,
        Gain gain,
        Optional<More> more) {
    /// Number of standard deviations of the number in use that are added as reserve.
    private static final double SIGMAS = 2;

    /// Minimum ratio of the best gain at any load to the gain at the load of the report, for a
    /// larger size to be named, too. A smaller ratio is within the error of two runs.
    private static final double MORE = 1.1;

    /// Throughput after ÷ before up to which a change has no gain.
    private static final double NOTHING = 1.03;

    /// A size for more requests in flight than the report's load has.
    ///
    /// @param qps throughput with that many in flight
    public record More(int size, double qps, int concurrency) {}

    /// @param now number of threads or connections of the pool, all in use; above 0
    /// @param proposed size for the best gain, which may need more requests in flight
    /// @param gain gain of the proposed size
    /// @param written the change as text. If the model has a prediction for it, that is used, as
    ///   for the figures of the recommendation.
    /// @param otherwiseMs response time of a request alone, after a change that the model does not
    ///   know
    /// @param oneEach true if a request holds at most one place at a time
    public static NeededPlaces of(
            Situation s,
            double now,
            int proposed,
            Gain gain,
            WrittenChange written,
            double otherwiseMs,
            boolean oneEach) {
        MeasuredLoad load = s.load();
        Optional<WhatIf> answer = ModelAnswer.to(written, s);
        double aloneMs = ModelAnswer.aloneMs(answer, load, s).orElse(otherwiseMs);
        double most = answer.isPresent() ? gain.qps().orElse(1.0) : most(s, gain);
        boolean measured = load.qps() > 0 && load.rtMs() > 0 && s.now().ratePerS().isEmpty();
        if (most < NOTHING || !measured) {
            return new NeededPlaces(
                    proposed,
                    proposed,
                    now * most,
                    most,
                    load.concurrency(),
                    gain,
                    Optional.empty());
        }
        double rt = Math.max(gain.rt().orElse(1 / most), 1 / most);
        Expected there = Expected.of(load, most, rt, aloneMs);
        double ratio = there.qps() / load.qps();
        int size = size(now, ratio, proposed, oneEach, there.atConcurrency());
        if (ratio < NOTHING || size >= proposed) {
            return new NeededPlaces(
                    proposed,
                    proposed,
                    now * ratio,
                    ratio,
                    there.atConcurrency(),
                    gain,
                    Optional.empty());
        }
        double inFlight = most * load.qps() * Math.max(aloneMs, rt * load.rtMs()) / 1000;
        int larger = size(now, most, proposed, oneEach, (int) Math.ceil(inFlight));
        return new NeededPlaces(
                size,
                proposed,
                now * ratio,
                ratio,
                there.atConcurrency(),
                limited(gain, size, now),
                most > MORE * ratio && larger > size
                        ? Optional.of(
                                new More(larger, most * load.qps(), (int) Math.ceil(inFlight)))
                        : Optional.empty());
    }

    /// Returns the best throughput at any load, after ÷ before: the gain, limited by the machine's
    /// CPU.
    private static double most(Situation s, Gain gain) {
        double ratio = gain.qps().orElse(1.0);
        return s.now()
                .cpu()
                .flatMap(cpu -> MachineCeiling.times(cpu, s.machineCores(), 0))
                .map(allowed -> Math.min(allowed, ratio))
                .orElse(ratio);
    }

    private static int size(
            double now, double ratio, int proposed, boolean oneEach, int concurrency) {
        double mean = now * ratio;
        double wanted = Math.ceil(mean + SIGMAS * Math.sqrt(mean));
        double held = oneEach ? Math.min(wanted, concurrency) : wanted;
        return (int) Math.min(proposed, Math.max(Math.floor(now) + 1, held));
    }

    /// Returns the gain, limited to what this number of places allows at any load (throughput at
    /// saturation, F2).
    private static Gain limited(Gain gain, int size, double now) {
        double most = size / now;
        return gain.qps().filter(q -> q > most).isEmpty()
                ? gain
                : new Gain(
                        Optional.of(most),
                        gain.rt().map(rt -> Math.max(rt, 1 / most)),
                        gain.atMost(),
                        gain.formula()
                                + say("; %d places serve %.3g times as much (F2)", size, most));
    }

    /// True if the needed size is smaller than the proposed one.
    public boolean isLess() {
        return size < proposed;
    }

    /// Returns clauses that say how the size follows from the load, and which gain a larger size
    /// gives. They precede another clause. Empty if the needed size is the proposed one.
    public String says() {
        if (!isLess()) {
            return "";
        }
        String reserve =
                size > Math.ceil(inUse)
                        ? say(
                                "%.0f of %d are in use on average at N=%d, the others are reserve; ",
                                inUse, size, concurrency)
                        : "";
        return reserve
                + more.map(m ->
                                say(
                                        "%d let up to %.0f/s through, but only with %d in flight; ",
                                        m.size(), m.qps(), m.concurrency()))
                        .orElse("");
    }
}
