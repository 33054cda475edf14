package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.statistics.Trend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The live set over time: the lowest occupancy that each collection of the old generation leaves
/// behind. Young collections alone say nothing of it: old garbage waits for the next old one.
public final class FloorTrend {
    /// Floors kept; when full every second one is dropped, so that they still span the log.
    private static final int MOST = 512;

    /// Floors from which the median is the present live set.
    private static final int LATEST = 5;

    private final List<Analysis.Floor> floors = new ArrayList<>();
    private boolean open;
    private boolean full;
    private boolean settled;
    private boolean mixed;
    private int young;
    private double floorS;
    private long floorBytes;
    private long floorLine;
    private final long[] left = new long[LATEST];
    private int lefts;

    /// An old collection ended: a new stretch begins.
    ///
    /// @param isFull with everything stopped
    public void oldCollected(boolean isFull) {
        close();
        open = true;
        full = isFull;
        settled = true;
        floorBytes = Long.MAX_VALUE;
    }

    /// G1 has marked its heap. What it found dead in regions that hold live objects too waits for
    /// mixed collections: until these are through, or do not come, what is left behind is no floor.
    public void marked() {
        oldCollected(false);
        settled = false;
        mixed = false;
        young = 0;
    }

    /// A collection of G1 in the stretch that a marking began. Where there is nothing to reclaim,
    /// the young collection before mixed ones and these are left out; logs before JDK 9 do not name
    /// the former.
    public void collected(PauseKind kind) {
        if (kind == PauseKind.MIXED) {
            mixed = true;
        } else if (kind.isYoung() && kind != PauseKind.PREPARE_MIXED) {
            young++;
        }
        settled |= young >= (mixed ? 1 : 2);
    }

    /// What a collection left behind.
    public void left(double atS, long bytes, long line) {
        left[lefts++ % LATEST] = bytes;
        if (open && bytes < floorBytes) {
            floorS = atS;
            floorBytes = bytes;
            floorLine = line;
        }
    }

    private void close() {
        if (!open || !settled || floorBytes == Long.MAX_VALUE) {
            return;
        }
        if (floors.size() == MOST) {
            for (int i = 0; i < MOST / 2; i++) {
                floors.set(i, floors.get(2 * i));
            }
            floors.subList(MOST / 2, MOST).clear();
        }
        floors.add(new Analysis.Floor(floorS, floorBytes, floorLine, full));
        open = false;
    }

    /// Closes the last stretch; ask it once, at the end.
    public List<Analysis.Floor> finish() {
        close();
        return List.copyOf(floors);
    }

    /// The live set at the end of the log: the median of the last floors, those of full collections
    /// alone where the later half of the log has some. Marking beside the application leaves what
    /// died meanwhile, and G1 what its mixed collections do not come by.
    public static Optional<Double> live(List<Analysis.Floor> all) {
        if (all.isEmpty()) {
            return Optional.empty();
        }
        double half = (all.getFirst().atS() + all.getLast().atS()) / 2;
        List<Analysis.Floor> fulls = all.stream().filter(f -> f.full() && f.atS() >= half).toList();
        List<Analysis.Floor> floors = fulls.isEmpty() ? all : fulls;
        long[] last =
                floors.subList(Math.max(0, floors.size() - LATEST), floors.size()).stream()
                        .mapToLong(Analysis.Floor::bytes)
                        .sorted()
                        .toArray();
        return Optional.of((double) last[last.length / 2]);
    }

    /// The lowest occupancy that the last few collections left: the live set is at most this.
    public Optional<Double> atMost() {
        return lefts == 0
                ? Optional.empty()
                : Optional.of(
                        (double)
                                Arrays.stream(left, 0, Math.min(lefts, LATEST))
                                        .min()
                                        .orElseThrow());
    }

    /// Share of the heap from which nothing can rise any more: one survivor space is never used,
    /// and full collections leave Eden empty as long as they can.
    private static final double CEILING = 0.85;

    /// Share of the last floor from which the plateau below the ceiling is counted: where
    /// generations are of fixed size old is full, at two thirds or three quarters of the heap, long
    /// before young fills up with what does not fit into it any more.
    private static final double PLATEAU = 0.85;

    /// The floors up to the first that filled the heap: a leak that has filled it rises no more.
    public static List<Analysis.Floor> untilFull(List<Analysis.Floor> floors, double maxBytes) {
        if (floors.isEmpty() || floors.getLast().bytes() < CEILING * maxBytes) {
            return floors;
        }
        int first = 0;
        while (floors.get(first).bytes() < PLATEAU * floors.getLast().bytes()) {
            first++;
        }
        return first + 1 < GcLimits.RISE_POINTS ? floors : floors.subList(0, first + 1);
    }

    static Optional<Trend> trend(List<Analysis.Floor> floors) {
        return Trend.of(
                floors.stream().map(f -> new Trend.Point(f.atS(), (double) f.bytes())).toList());
    }
}
