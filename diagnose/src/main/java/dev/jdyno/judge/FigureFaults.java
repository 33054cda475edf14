package dev.jdyno.judge;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.breakdown.ClosedPoint;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.reconcile.Reconciled;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.FigureId.Total;
import dev.jdyno.measure.verdict.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds measurements of the reported load that do not agree with the others. Each of them is named
/// and left out, and a verdict that uses one is less certain. Rounds that violate Little's law have
/// a warning of their own (`LittlesLaw`).
final class FigureFaults {
    private static final Set<FigureId> OF_THE_CLIENT =
            Set.of(Total.IN_FLIGHT, Total.THROUGHPUT, Total.RESPONSE_TIME);
    private static final Set<Bottleneck> OF_CPU =
            EnumSet.of(Bottleneck.CPU, Bottleneck.CPU_QUOTA, Bottleneck.CPU_NEIGHBOUR);
    private static final Set<Bottleneck> OF_GC =
            EnumSet.of(
                    Bottleneck.GC_ALLOCATION,
                    Bottleneck.GC_PROMOTION,
                    Bottleneck.GC_LIVE_SET,
                    Bottleneck.GC_EXPLICIT,
                    Bottleneck.GC_HUMONGOUS,
                    Bottleneck.GC_STALL);

    private FigureFaults() {}

    private static List<Reconciled.Fault> of(ClosedPoint point) {
        return point.reconciled().faults().stream()
                .filter(f -> !OF_THE_CLIENT.contains(figure(f)))
                .toList();
    }

    /// Returns a sentence on each measurement that was left out.
    static List<String> notes(ClosedPoint point) {
        return of(point).stream().map(f -> note(f, point)).toList();
    }

    private static FigureId figure(Reconciled.Fault fault) {
        return FigureId.of(fault.measurement(), "");
    }

    private static String note(Reconciled.Fault fault, ClosedPoint point) {
        FigureId figure = figure(fault);
        return String.format(
                Locale.ROOT,
                "the measured %s at N=%d is left out: %.3g %s does not agree with %s",
                figure.words(),
                point.window().concurrency(),
                fault.value(),
                figure.unit(),
                fault.balances().isEmpty()
                        ? "the other figures"
                        : String.join(" and ", fault.balances()));
    }

    /// Returns the verdict, with less confidence if it uses a measurement that was left out. Parts
    /// whose sum is larger than the whole do not count, because a request may have several threads
    /// at once.
    static Verdict doubted(Verdict verdict, ClosedPoint point) {
        boolean rests =
                of(point).stream()
                        .filter(f -> !f.balances().equals(List.of(ClosedPoint.SUM)))
                        .anyMatch(f -> restsOn(figure(f)).contains(verdict.bottleneck()));
        return rests ? Diagnosis.doubted(verdict, Doubt.FIGURES_DISAGREE.most(), "") : verdict;
    }

    private static Set<Bottleneck> restsOn(FigureId figure) {
        return switch (figure) {
            case Total total ->
                    switch (total) {
                        case CPU,
                                CPU_OF_THREADS,
                                CPU_BY_SAMPLES,
                                RUN_QUEUE,
                                RUN_QUEUE_OF_REQUESTS ->
                                OF_CPU;
                        case IN_FLIGHT, THROUGHPUT, RESPONSE_TIME ->
                                EnumSet.noneOf(Bottleneck.class);
                    };
            case FigureId.Part(Cause cause) -> restsOn(cause);
            case FigureId.Pool _ -> EnumSet.of(Bottleneck.THREAD_POOL);
            case FigureId.Exceptions _, FigureId.ExceptionsPerRequest _, FigureId.Other _ ->
                    EnumSet.noneOf(Bottleneck.class);
        };
    }

    private static Set<Bottleneck> restsOn(Cause cause) {
        return switch (cause) {
            case CPU, RUN_QUEUE -> OF_CPU;
            case LOCK -> EnumSet.of(Bottleneck.LOCK);
            case POOL -> EnumSet.of(Bottleneck.CONNECTION_POOL);
            case FUTURE -> EnumSet.of(Bottleneck.POOL_STARVATION);
            case DOWNSTREAM -> EnumSet.of(Bottleneck.DOWNSTREAM, Bottleneck.DOWNSTREAM_SERIAL);
            case DATABASE -> EnumSet.of(Bottleneck.DATABASE);
            case DNS -> EnumSet.of(Bottleneck.DNS);
            case DISK -> EnumSet.of(Bottleneck.DISK);
            case LOGGING -> EnumSet.of(Bottleneck.LOGGING);
            case SLEEP -> EnumSet.of(Bottleneck.RATE_LIMIT);
            case NETWORK -> EnumSet.of(Bottleneck.NETWORK);
            case CLASS_LOADING -> EnumSet.of(Bottleneck.CLASS_LOADING);
            case THREAD_START -> EnumSet.of(Bottleneck.THREAD_CHURN);
            case GC -> OF_GC;
            case SAFEPOINT -> EnumSet.of(Bottleneck.SAFEPOINT);
            case JVM_MUTEX, OTHER -> EnumSet.noneOf(Bottleneck.class);
        };
    }
}
