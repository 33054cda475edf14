package dev.jdyno.diagnose.gain;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The range of a predicted throughput (95 %). Added by squares, as relative errors:
///
/// - of the throughput that it is scaled from, by its interval,
/// - of the figure that the change is about, by its reconciled error: CPU of a request, or the
///   wait,
/// - of the CPU of a request after the change: by how much it differs between the reported load and
///   the rounds in which it has settled.
///
/// The range of a bound begins at zero, because the next limit is not known. It begins higher if
/// measured changes of its kind reached a minimum share of their bounds. No range exceeds the
/// change's maximum or is below the throughput without the change at the load of the figures.
/// Figures of another load than the report's only have the error of their throughput.
public final class GainRange {
    private static final FigureId CPU = new FigureId.Part(Cause.CPU);

    /// Parts of a request without a wait that a change could shorten.
    private static final Set<FigureId> NO_WAIT = Set.of(CPU, new FigureId.Part(Cause.RUN_QUEUE));

    /// Factor of the recorded changes. Their share of a bound says nothing of gains beyond it.
    private static final double RECORDED = 2;

    private GainRange() {}

    /// Returns the recommendation with the range of its figures.
    ///
    /// @param figures figures of the reported load; empty if not known
    /// @param record results of measured changes
    public static Recommendation ranged(
            Recommendation r, Situation s, List<PointFigure> figures, KindRecord record) {
        Round base = FiguresLoad.of(r, s);
        if (r.expected().isEmpty() || base.qps() <= 0) {
            return r;
        }
        Expected e = r.expected().get();
        double now = base.qps();
        double gain = Math.max(0, e.qps() / now - 1);
        // the figures' errors are of the reported load
        double ofChange = base.equals(s.now()) ? ofChange(ChangeKind.of(r), s, figures) : 0;
        double error = Math.hypot(ofThroughput(e), gain * ofChange);
        double recorded = Math.clamp(e.qps() - now, 0, (RECORDED - 1) * now);
        double least = now + record.least(ChangeKind.of(r)) * recorded;
        double low = r.atMost() ? least : e.qps() - error * e.qps();
        double high = r.atMost() ? e.qps() : e.qps() + error * e.qps();
        return r.expecting(
                e.within(
                        new Interval(
                                Math.min(e.qps(), Math.max(now, low)), Math.max(e.qps(), high))));
    }

    private static double ofThroughput(Expected e) {
        return e.ci95().filter(_ -> e.qps() > 0).map(i -> i.width() / 2 / e.qps()).orElse(0.0);
    }

    /// Returns the relative error of a gain: the error of what the change removes, as far as it was
    /// measured.
    private static double ofChange(ChangeKind kind, Situation s, List<PointFigure> figures) {
        return Math.hypot(measured(kind, figures), afterwards(s));
    }

    private static double measured(ChangeKind kind, List<PointFigure> figures) {
        Optional<FigureId> part =
                switch (kind) {
                    case LESS_CPU, MORE_CORES -> Optional.of(CPU);
                    case LESS_LOGGING -> Optional.of(new FigureId.Part(Cause.LOGGING));
                    case LESS_GARBAGE, HEAP -> Optional.of(new FigureId.Part(Cause.GC));
                    case SHORTER_HOLD, MORE_PLACES, SHORTER_WAIT, FASTER_PEER, OTHER ->
                            largestWait(figures);
                };
        return figures.stream()
                .filter(f -> part.filter(f.id()::equals).isPresent() && f.value() > 0)
                .mapToDouble(f -> Math.min(1, Interval.NORMAL_95 * f.standardError() / f.value()))
                .findFirst()
                .orElse(0);
    }

    private static Optional<FigureId> largestWait(List<PointFigure> figures) {
        return figures.stream()
                .filter(f -> f.id() instanceof FigureId.Part part && !NO_WAIT.contains(part))
                .max(Comparator.comparingDouble(PointFigure::value))
                .map(PointFigure::id);
    }

    /// Returns how much the CPU of a request may change with the load, as a share of it.
    private static double afterwards(Situation s) {
        double now = s.now().cpu().map(c -> c.processCores() / s.now().qps() * 1000).orElse(0.0);
        return s.cpuMs()
                .filter(settled -> settled > 0 && now > 0)
                .map(settled -> Math.min(1, Math.abs(now - settled) / Math.max(now, settled)))
                .orElse(0.0);
    }
}
