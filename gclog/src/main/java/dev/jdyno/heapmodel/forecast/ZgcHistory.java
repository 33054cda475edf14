package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.Nearest;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.ArrayList;
import java.util.List;

/// A run of generational ZGC, with its figures by position. A position is the number of bytes
/// allocated so far. The model assumes that a run on another heap behaves the same at the same
/// position.
final class ZgcHistory {
    /// Maximum free memory, in bytes, that counts as no free memory: the size of a page.
    private static final double NOTHING_FREE = ZgcAllocationRate.GRANULE;

    /// Minimum share of the span in which threads ran. With less, periods do not show the
    /// allocation rate.
    private static final double RUNNING_SHARE_MIN = 0.01;

    /// Minimum total length of the periods, in seconds, from which a pace is measured.
    private static final double MIN_PACE_S = 0.05;

    /// Ratio up to which two rates count as equal.
    private static final double NEARLY = 1.001;

    private final List<ZgcYoung> collections;
    private final double[] positions;
    private final double[] oldFloors;
    private final double allocated;

    ZgcHistory(List<ZgcYoung> collections) {
        this.collections = List.copyOf(collections);
        int n = collections.size();
        positions = new double[n];
        double position = 0;
        for (int i = 0; i < n; i++) {
            ZgcYoung c = collections.get(i);
            if (i > 0) {
                position += Math.max(0, c.usedBytes() - collections.get(i - 1).usedAfterBytes());
            }
            positions[i] = position;
            position += c.allocated();
        }
        allocated = position;
        oldFloors = new double[n];
        double floor = Double.POSITIVE_INFINITY;
        for (int i = n - 1; i >= 0; i--) {
            floor = Math.min(floor, collections.get(i).oldBytes());
            oldFloors[i] = floor;
        }
    }

    int size() {
        return collections.size();
    }

    ZgcYoung collection(int i) {
        return collections.get(i);
    }

    /// Bytes allocated from the first collection's start to the last one's end.
    double allocated() {
        return allocated;
    }

    /// The collection that began nearest to this position.
    int nearest(double position) {
        return Nearest.in(positions, position);
    }

    /// The lowest later occupancy of the old generation. Anything above it is garbage.
    double oldFloor(int i) {
        return oldFloors[i];
    }

    /// Allocation rate in bytes per second while threads ran, from all periods that ended with free
    /// memory. A period that ended without free memory gives only a minimum, because no line shows
    /// how long threads waited. It counts if this minimum is higher than the rate of the others.
    double allocationRate() {
        List<Stretch> stretches = stretches();
        double span = collections.getLast().endS() - collections.getFirst().startS();
        double running =
                stretches.stream().filter(s -> !s.stalled()).mapToDouble(Stretch::seconds).sum();
        double rate =
                running > RUNNING_SHARE_MIN * span
                        ? rate(stretches, Double.POSITIVE_INFINITY)
                        : allocated / span;
        while (true) {
            double higher = rate(stretches, rate);
            if (!(higher > rate * NEARLY)) {
                return rate;
            }
            rate = higher;
        }
    }

    /// Allocation rates of running threads in bytes per second.
    ///
    /// @param beside rate while a collection runs, whose marking and relocation use some of the
    ///   cores
    /// @param between rate between collections
    record Pace(double beside, double between) {}

    /// The rates over the periods that ended with free memory. If these are short, the rate of all
    /// periods.
    Pace pace() {
        List<Stretch> stretches = stretches();
        double all = allocationRate();
        return new Pace(pace(stretches, true, all), pace(stretches, false, all));
    }

    private static double pace(List<Stretch> stretches, boolean beside, double otherwise) {
        List<Stretch> running =
                stretches.stream().filter(s -> s.beside() == beside && !s.stalled()).toList();
        double seconds = running.stream().mapToDouble(Stretch::seconds).sum();
        return seconds > MIN_PACE_S ? rate(running, Double.POSITIVE_INFINITY) : otherwise;
    }

    private record Stretch(double bytes, double seconds, boolean beside, boolean stalled) {}

    private static double rate(List<Stretch> stretches, double min) {
        double bytes = 0;
        double seconds = 0;
        for (Stretch s : stretches) {
            if (!s.stalled() || s.bytes() > min * s.seconds()) {
                bytes += s.bytes();
                seconds += s.seconds();
            }
        }
        return seconds > 0 ? bytes / seconds : 0;
    }

    private List<Stretch> stretches() {
        List<Stretch> all = new ArrayList<>();
        for (int i = 0; i < collections.size(); i++) {
            ZgcYoung c = collections.get(i);
            if (i > 0) {
                ZgcYoung last = collections.get(i - 1);
                double between = c.startS() - last.endS();
                double filled = c.usedBytes() - last.usedAfterBytes();
                if (between > 0 && filled >= 0) {
                    all.add(new Stretch(filled, between, false, isNothing(c.freeBytes())));
                }
            }
            all.add(
                    new Stretch(
                            c.allocatedMarking(), c.markS(), true, isNothing(c.freeMarkedBytes())));
            all.add(
                    new Stretch(
                            c.allocatedRelocating(),
                            c.relocateS(),
                            true,
                            isNothing(c.freeAfterBytes())));
        }
        // time stamps have milliseconds, so a period may have no duration and then gives no rate
        all.removeIf(s -> !(s.seconds() > 0));
        return all;
    }

    private static boolean isNothing(double freeBytes) {
        return freeBytes <= NOTHING_FREE;
    }

    /// Mean time to collect the old generation in seconds; 0 if it was never collected.
    double oldS() {
        return collections.stream()
                .filter(c -> c.oldS() > 0)
                .mapToDouble(ZgcYoung::oldS)
                .average()
                .orElse(0);
    }

    /// Share of major collections among those that began for lack of memory.
    double majorShare() {
        return collections.stream()
                .filter(c -> !c.cause().equals("Warmup") && !c.cause().equals("Proactive"))
                .mapToDouble(c -> c.major() ? 1 : 0)
                .average()
                .orElse(0);
    }
}
