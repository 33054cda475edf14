package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.LoggingCost;
import dev.jdyno.measure.Prescription;
import dev.jdyno.measure.Verdict;
import dev.jdyno.measure.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The cures for a verdict, each with the gain a formula predicts; the largest gain first.
public final class Prescriptions {
    /// F9: young generation per request byte beyond which nothing is gained.
    static final double YOUNG_PER_REQUEST = 100;

    private Prescriptions() {}

    public static List<Prescription> of(
            Verdict verdict, Evidence evidence, Optional<Knee> knee, List<WhatIf> whatIf) {
        List<Prescription> cures = new ArrayList<>();
        switch (verdict.bottleneck()) {
            case CPU -> {
                fromWhatIf(
                                "cpu-halve",
                                "Halve the CPU time of a request (profile it)",
                                "cpu",
                                whatIf,
                                knee)
                        .ifPresent(cures::add);
                fromWhatIf("cores-double", "Give it twice the cores", "cores", whatIf, knee)
                        .ifPresent(cures::add);
            }
            case DOWNSTREAM, DATABASE ->
                    fromWhatIf(
                                    "downstream-halve",
                                    "Halve the time in "
                                            + verdict.where()
                                            + ", or give it capacity",
                                    "downstream",
                                    whatIf,
                                    knee)
                            .ifPresent(cures::add);
            case THREAD_POOL -> threads(verdict, knee).ifPresent(cures::add);
            case GC_ALLOCATION, GC_PROMOTION -> young(evidence).ifPresent(cures::add);
            default -> {
                // no formula of F1–F15 predicts the gain: name no cure rather than guess one
            }
        }
        cures.sort(Comparator.comparingDouble(Prescription::predictedQpsRatio).reversed());
        return List.copyOf(cures);
    }

    /// Cures of dear logging, from the service's own configuration. No formula says what one of
    /// them gives; all together at most what the busy threads lose in logging, and no more than the
    /// CPU has left.
    public static List<Prescription> logging(List<LoggingCost> costs, Evidence evidence) {
        double share = Math.min(0.9, evidence.busyShare(Cause.LOGGING).orElse(0.0));
        double used = Math.max(0.1, evidence.cpuUtilisation().orElse(1.0));
        double most = Math.max(1, Math.min(1 / (1 - share), 1 / used));
        return costs.stream()
                .map(c ->
                        new Prescription(
                                "logging-" + c.part(),
                                say(
                                        "%s: %s (all of these at most × %.2f)",
                                        c.file(), c.says(), most),
                                c.change(),
                                most,
                                1 / most,
                                false,
                                Optional.empty()))
                .toList();
    }

    private static Optional<Prescription> fromWhatIf(
            String id, String says, String change, List<WhatIf> whatIf, Optional<Knee> knee) {
        return knee.flatMap(k ->
                whatIf.stream()
                        .filter(w -> w.change().startsWith(change))
                        .findFirst()
                        .map(w ->
                                new Prescription(
                                        id,
                                        says,
                                        w.change(),
                                        w.qps() / k.qps(),
                                        w.rtMs() / k.rtMs(),
                                        false,
                                        Optional.empty())));
    }

    /// F1: as many threads as just use up the CPU.
    private static Optional<Prescription> threads(Verdict verdict, Optional<Knee> knee) {
        return knee.flatMap(k ->
                k.predicted()
                        .filter(p -> p.qps() > k.qps())
                        .map(p ->
                                new Prescription(
                                        "threads",
                                        say(
                                                "Give %s %.0f threads: what the CPU"
                                                        + " would allow (F1)",
                                                verdict.where(), Math.ceil(p.concurrency())),
                                        say("threads=%.0f", Math.ceil(p.concurrency())),
                                        p.qps() / k.qps(),
                                        1,
                                        true,
                                        Optional.empty())));
    }

    /// F9. The gain is bounded by the time the collector takes now.
    private static Optional<Prescription> young(Evidence evidence) {
        return evidence.plateau()
                .gc()
                .flatMap(gc ->
                        gc.requestBytes()
                                .map(b -> {
                                    var young =
                                            Bytes.mebi(
                                                    Math.ceil(b * YOUNG_PER_REQUEST / (1 << 20)));
                                    double gain = 1 / (1 - Math.min(0.9, gc.pauseShare()));
                                    return new Prescription(
                                            "young",
                                            say(
                                                    "Make the young generation %s: 100 ×"
                                                            + " what a request allocates"
                                                            + " (F9); at most × %.2f",
                                                    young, gain),
                                            say("-Xmn%.0fm", young.inMebi()),
                                            gain,
                                            1 / gain,
                                            true,
                                            Optional.empty());
                                }));
    }
}
