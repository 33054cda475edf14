package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.LogWork;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Validity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Computes the capacity from closed-loop rounds: the knee (F1), throughput at saturation (F2), the
/// demands of a request, and the gain of changes. It is a pure function.
public final class CapacityAnalysis {
    /// Maximum share of the knee for rounds below it. Demands and predictions come from these
    /// rounds.
    private static final double SUB_KNEE_SHARE = 0.75;

    /// Share of the knee below which a round does not count for the CPU demand if there are others.
    /// An almost idle service uses extra CPU for wake-ups and cold caches.
    private static final double IDLE_SHARE = 0.2;

    /// Maximum difference of CPU per request between rounds, as a share. A larger one is reported
    /// to the user.
    private static final double CPU_DRIFT = 0.10;

    /// Minimum fall of CPU per request, as a share, that counts as clear. Its interval is no
    /// criterion, because a round in which CPU per request falls has a wide interval. Differences
    /// by chance are 5 % or less.
    private static final double CPU_FELL = 0.25;

    /// Minimum ratio of model to measurement, or of measurement to model, at which no predictions
    /// are made from the model.
    private static final double MISSES = 1.25;

    private static final long SEED = 20_100_101;

    private CapacityAnalysis() {}

    public static CapacityAnswer of(Recording recording) {
        List<Round> closed =
                recording.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0)
                        .sorted(Comparator.comparingInt(Round::concurrency))
                        .toList();
        return switch (Asymptotes.of(closed)) {
            case Asymptotes.Fit.None(KneeFinding.NotFound why) ->
                    withoutKnee(why, closed, recording);
            case Asymptotes.Fit.Crossing(Asymptotes a) -> withKnee(a, closed, recording);
        };
    }

    private static CapacityAnswer withoutKnee(
            KneeFinding.NotFound why, List<Round> closed, Recording recording) {
        List<Demand> demands = new ArrayList<>();
        List<String> others = new ArrayList<>();
        CpuDemand.of(closed, recording.census())
                .ifPresent(all -> {
                    CpuSupply supply = CpuSupply.of(recording.machine().cores(), all.from());
                    CpuDemand cpu = supply.isSaturated() ? all : settled(all, recording);
                    double qps = closed.stream().mapToDouble(Round::qps).max().orElseThrow();
                    demands.add(Demands.ofCpu(cpu, supply, qps));
                    others.add("utilisation is that of the round with the most throughput");
                });
        return new CapacityAnswer(
                why,
                demands,
                Map.of(),
                new CapacityNotes(
                        Optional.of(why.says()), why.lowerLoads(), Optional.empty(), others));
    }

    private static CapacityAnswer withKnee(Asymptotes a, List<Round> closed, Recording recording) {
        double n = a.kneeConcurrency();
        List<Round> subKnee =
                closed.stream()
                        .filter(r -> a.base().contains(r) || r.concurrency() <= SUB_KNEE_SHARE * n)
                        .toList();
        List<Round> busy = subKnee.stream().filter(r -> r.concurrency() >= IDLE_SHARE * n).toList();
        List<ThreadSamples> threadSamples = recording.census();
        Optional<CpuDemand> below =
                CpuDemand.of(busy, threadSamples).or(() -> CpuDemand.of(subKnee, threadSamples));
        Optional<CpuDemand> atPlateau = CpuDemand.of(a.plateau(), threadSamples);
        if (below.isEmpty() || atPlateau.isEmpty()) {
            return withoutCpu(a, closed, recording, subKnee);
        }
        int cores = recording.machine().cores();
        CpuSupply supply =
                CpuSupply.of(cores, closed.stream().filter(r -> r.cpu().isPresent()).toList());
        OtherDemands others = OtherDemands.of(subKnee, a.plateau(), supply.isSaturated());
        CpuDemand low =
                others.limit() instanceof Limit.Cpu ? below.get() : settled(below.get(), recording);

        Knee knee =
                knee(
                        a,
                        closed,
                        recording,
                        Optional.of(
                                predicted(
                                        a,
                                        low,
                                        below.get(),
                                        supply,
                                        others,
                                        otherProcesses(recording))));
        List<Demand> demands =
                new Demands(a, subKnee, others, threadSamples, recording.insight().waits())
                        .with(Demands.ofCpu(low, supply, a.maxQps()));
        var model =
                ServiceModel.of(
                        knee, demands, closed, cores, others.limit() instanceof Limit.Places);
        List<String> more = notes(low, below.get(), atPlateau.get(), supply);
        uslNote(closed).ifPresent(more::add);
        if (StandardChanges.isHidden(others)) {
            more.add(
                    "the bottleneck was not found and may be a unit that is held during the"
                            + " downstream call: the gain of a shorter call is not predicted");
        }
        CapacityNotes notes = KneeWidth.notes(knee, a, closed).plus(more);
        Optional<String> refuted = refuted(model, a);
        if (refuted.isPresent()) {
            return new CapacityAnswer(
                    new KneeFinding.Found(knee),
                    demands,
                    Map.of(),
                    notes.withWhatIf(refuted.get()));
        }
        int max = closed.getLast().concurrency();
        return new CapacityAnswer(
                new KneeFinding.Found(knee.withModel(StandardChanges.curve(model, max))),
                demands,
                StandardChanges.on(model, others, max, ofLogging(threadSamples)),
                notes);
    }

    /// Returns the share of a request's CPU that goes into log lines, from the window at the
    /// highest load.
    private static double ofLogging(List<ThreadSamples> threadSamples) {
        return threadSamples.stream()
                .filter(c -> c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::concurrency))
                .map(c -> new LogWork(c).share())
                .orElse(0.0);
    }

    /// Returns the CPU demand for the case that only CPU limits. If CPU per request fell clearly
    /// after these rounds (warm-up, compilers, threads that queue), it is the demand in the rounds
    /// where it is steady.
    private static CpuDemand settled(CpuDemand of, Recording recording) {
        return CpuDemand.settled(recording.rounds(), recording.census())
                .filter(min -> of.ms() > (1 + CPU_FELL) * min.ms())
                .orElse(of);
    }

    /// Returns the reason why the model predicts no changes: without a change, it does not
    /// reproduce the measurement.
    private static Optional<String> refuted(ServiceModel model, Asymptotes a) {
        double qps = model.predict().qps();
        double aloneMs = model.path().totalMs() - model.othersCpuMs();
        if (qps > MISSES * a.maxQps() || qps * MISSES < a.maxQps()) {
            return Optional.of(refuted(number(qps) + "/s at the most", number(a.maxQps()) + "/s"));
        }
        return aloneMs > MISSES * a.minRtMs()
                ? Optional.of(
                        refuted(
                                number(aloneMs) + " ms for a request that is alone",
                                number(a.minRtMs()) + " ms"))
                : Optional.empty();
    }

    private static String refuted(String model, String measured) {
        return "without any change, the model predicts %s where %s were measured: the bottleneck is not in the model"
                .formatted(model, measured);
    }

    /// Returns the answer if the target's CPU use was not measured. The knee is known, but the CPU
    /// demand and what depends on it are not.
    private static CapacityAnswer withoutCpu(
            Asymptotes a, List<Round> closed, Recording recording, List<Round> subKnee) {
        OtherDemands others = OtherDemands.of(subKnee, a.plateau(), false);
        Knee knee = knee(a, closed, recording, Optional.empty());
        return new CapacityAnswer(
                new KneeFinding.Found(knee),
                new Demands(a, subKnee, others, recording.census(), recording.insight().waits())
                        .withoutCpu(),
                Map.of(),
                KneeWidth.notes(knee, a, closed)
                        .plus(
                                List.of(
                                        "the target's CPU was not seen: no CPU demand, no prediction, no"
                                                + " what-if")));
    }

    private static Knee knee(
            Asymptotes a,
            List<Round> closed,
            Recording recording,
            Optional<Knee.Predicted> predicted) {
        double n = a.kneeConcurrency();
        Interval drawn = a.kneeCi95(SEED);
        String method =
                String.format(
                        Locale.ROOT,
                        "crossing of the asymptotes, N* = X_max · R_min = %.0f/s · %s ms"
                                + " (median of %d saturated round(s), of %d %s);"
                                + " 95 %% bootstrap over rounds and their slices%s",
                        a.maxQps(),
                        number(a.minRtMs()),
                        a.plateau().size(),
                        a.base().size(),
                        a.minKnee().isEmpty()
                                ? "well below"
                                : "at the lowest load, which is near the knee: N* is an upper"
                                        + " bound",
                        a.minKnee()
                                .map(min ->
                                        "; it is at least %s, by the longest queue that the lowest load allows (balanced job bounds)"
                                                .formatted(number(min)))
                                .orElse(""));
        return new Knee(
                n,
                new Interval(Math.min(drawn.lo(), n), Math.max(drawn.hi(), n)),
                a.maxQps(),
                rtAt(n, closed),
                method,
                recording.warmupSeconds().orElse(0.0)
                        + closed.stream().mapToDouble(Round::seconds).sum(),
                predicted);
    }

    /// Returns the measured response time at concurrency `n`, interpolated linearly between the two
    /// nearest rounds.
    private static double rtAt(double n, List<Round> sorted) {
        Round below = sorted.getFirst();
        for (Round r : sorted) {
            if (r.concurrency() >= n) {
                double span = r.concurrency() - below.concurrency();
                double share = span <= 0 ? 0 : (n - below.concurrency()) / span;
                return below.rtMsByLittle() + share * (r.rtMsByLittle() - below.rtMsByLittle());
            }
            below = r;
        }
        return below.rtMsByLittle();
    }

    private static Knee.Predicted predicted(
            Asymptotes a,
            CpuDemand low,
            CpuDemand below,
            CpuSupply supply,
            OtherDemands others,
            Optional<String> otherProcesses) {
        boolean fell = !low.equals(below);
        double qps = supply.maxQps(low.ms());
        double n = qps * a.minRtMs() / 1000;
        double p = supply.coresLeft(low.ms());
        String formula =
                "D from %s: F2: X_max = P / D = %s cores available to the target / %s ms CPU = %s/s; F1: N* = (T_total / D) · P = (%s / %s) · %s = %s"
                        .formatted(
                                fell
                                        ? "rounds in which CPU per request had settled"
                                        : "rounds below the knee",
                                number(p),
                                number(low.ms()),
                                number(qps),
                                number(a.minRtMs()),
                                number(low.ms()),
                                number(p),
                                number(n));
        double min = supply.maxQps(below.ms());
        String range =
                fell
                        ? "; rounds below the knee took %s ms, which allows %s/s"
                                .formatted(number(below.ms()), number(min))
                        : "";
        boolean cpuLimits = others.limit() instanceof Limit.Cpu;
        String scope =
                cpuLimits ? "" : "; this is what CPU would allow, and CPU is not what limits here";
        String worth = otherProcesses.map(c -> "; not to be trusted: " + c).orElse("");
        return new Knee.Predicted(
                n,
                qps,
                cpuLimits,
                formula + range + scope + worth,
                fell ? Optional.of(new Interval(Math.min(min, qps), qps)) : Optional.empty());
    }

    /// Returns a note on other processes on the machine. The cores that they leave to the target
    /// vary with their load, and so does the knee (F1).
    private static Optional<String> otherProcesses(Recording recording) {
        return recording.warnings().stream()
                .filter(w -> w.id().equals(Validity.OTHER_PROCESSES))
                .map(Validity.Warning::says)
                .findFirst();
    }

    /// Returns a note with the universal scalability law as a second opinion that needs no
    /// resources. Empty if the measurement refutes the law.
    private static Optional<String> uslNote(List<Round> closed) {
        List<Bounds.LoadPoint> points =
                closed.stream()
                        .map(r -> new Bounds.LoadPoint(r.concurrency(), r.qps(), r.rtMsByLittle()))
                        .toList();
        return Usl.fit(points)
                .filter(usl -> !usl.isRefuted())
                .map(usl ->
                        String.format(
                                Locale.ROOT,
                                "USL fitted to the rounds (typical deviation %.0f %%):"
                                        + " serial share σ = %.2g, %s%s",
                                100 * usl.relativeError(),
                                usl.sigma(),
                                usl.hasCrosstalk()
                                        ? String.format(
                                                Locale.ROOT, "crosstalk κ = %.2g", usl.kappa())
                                        : "no crosstalk",
                                usl.peakIn(points).isPresent()
                                        ? ", most throughput near N = "
                                                + Math.round(usl.peakIn(points).getAsDouble())
                                        : ""));
    }

    private static List<String> notes(
            CpuDemand low, CpuDemand below, CpuDemand high, CpuSupply supply) {
        List<String> notes = new ArrayList<>();
        boolean fell = !low.equals(below);
        notes.add(
                fell
                        ? String.format(
                                Locale.ROOT,
                                "CPU per request, %.2f ms, is from the %d round(s) where it was"
                                        + " lowest; below the knee it was %.2f ms and above it"
                                        + " %.2f ms (code not compiled yet, threads that queue);"
                                        + " what-ifs are scaled to the measured saturated"
                                        + " throughput",
                                low.ms(),
                                low.from().size(),
                                below.ms(),
                                high.ms())
                        : String.format(
                                Locale.ROOT,
                                "CPU per request, %.2f ms, is from %d round(s) below the knee;"
                                        + " above the knee it was %.2f ms; what-ifs are scaled"
                                        + " to the measured saturated throughput",
                                low.ms(),
                                low.from().size(),
                                high.ms()));
        if (!fell && Math.abs(high.ms() / low.ms() - 1) > CPU_DRIFT) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "CPU per request changed by %+.0f %% from below the knee to above it:"
                                    + " the prediction from below has this error",
                            100 * (high.ms() / low.ms() - 1)));
        }
        notes.add(
                String.format(
                        Locale.ROOT,
                        "P, the cores available to the service at full CPU use, is %.2f of the %s"
                                + " that it may use: client and other processes spend %.2f ms of"
                                + " CPU per request. The service used at most %.0f %% of the"
                                + " available cores, with %d requests in flight",
                        supply.coresLeft(low.ms()),
                        number(supply.mayUseCores()),
                        supply.othersMs(),
                        100 * supply.utilisation(),
                        supply.concurrency()));
        return notes;
    }
}
