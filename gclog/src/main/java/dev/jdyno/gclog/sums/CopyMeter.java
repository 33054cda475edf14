package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.measure.gc.YoungCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The bytes that young collections found and copied (F14), from which the lifetimes of objects
/// follow. A collection counts if its log lines show the young generation.
final class CopyMeter {
    /// Maximum number of collections, from the start of the log. More would need more memory and
    /// not change the medians.
    private static final int MAX = 1 << 16;

    /// Maximum number of collections kept one by one, enough for a least-squares fit of two values.
    private static final int SINGLE = 1 << 9;

    private final Spread eden = new Spread();
    private final Spread copied = new Spread();
    private final Spread promoted = new Spread();
    private final Spread survived = new Spread();
    private final EvenSample<YoungCopy> single = new EvenSample<>(SINGLE);
    private final List<SoFar> soFar = new ArrayList<>();
    private double pauseMs;
    private long survivorsBefore;
    private long survivorSpaceBefore;

    /// The sum of the pauses after a number of collections. Each of these numbers is a tenth larger
    /// than the one before, so that one is always about halfway.
    private record SoFar(long count, double pauseMs) {}

    /// Ratio of two successive numbers of collections.
    private static final double APART = 1.1;

    void take(GcEvent.Pause p) {
        if (p.young().isEmpty()) {
            if (p.kind() == PauseKind.FULL) {
                survivorsBefore = 0;
                survivorSpaceBefore = 0;
            }
            return;
        }
        GcEvent.Occupancy young = p.young().get();
        List<Long> ages = p.tenuring().map(GcEvent.Tenuring::bytesByAge).orElse(List.of());
        // G1's sizes are whole regions, so the bytes of age tables are preferred
        long survivors = ages.isEmpty() ? young.afterBytes() : sum(ages);
        if (p.kind().isYoung() && eden.count() < MAX) {
            double made = (double) Math.max(0, young.beforeBytes() - survivorSpaceBefore);
            double out = (double) p.promotedBytes().orElse(0);
            eden.add(made, p.line());
            survived.add((double) survivors, p.line());
            promoted.add(out, p.line());
            copied.add(survivors + out, p.line());
            single.add(
                    new YoungCopy(
                            made,
                            (double) survivorsBefore,
                            survivors + out,
                            ages.isEmpty() || out > 0
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of((double) (survivors - ages.getFirst()))));
            pauseMs += p.ms();
            if (soFar.isEmpty() || eden.count() >= APART * soFar.getLast().count()) {
                soFar.add(new SoFar(eden.count(), pauseMs));
            }
        }
        survivorsBefore = survivors;
        survivorSpaceBefore = young.afterBytes();
    }

    private static long sum(List<Long> bytes) {
        long sum = 0;
        for (long of : bytes) {
            sum += of;
        }
        return sum;
    }

    Optional<Analysis.Copying> finish() {
        return eden.count() == 0
                ? Optional.empty()
                : Optional.of(
                        new Analysis.Copying(
                                eden.count(),
                                eden.finish().p50(),
                                survived.finish().p50(),
                                promoted.finish().p50(),
                                copied.finish().p50(),
                                copied.total(),
                                laterPauseMs(),
                                single.values()));
    }

    /// Mean pause of the later half, after the start has built the live set. A median would ignore
    /// the long pauses.
    private double laterPauseMs() {
        SoFar half =
                soFar.stream().filter(s -> 2 * s.count() >= eden.count()).findFirst().orElseThrow();
        long count = eden.count() - half.count();
        return count == 0 ? pauseMs / eden.count() : (pauseMs - half.pauseMs()) / count;
    }
}
