package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.statistics.Trend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The live set over time: the lowest occupancy after each collection of the old generation. Young
/// collections alone do not show it, because old garbage stays until the next old collection.
public final class FloorTrend {
    /// Maximum number of floors. When it is reached, every second floor is dropped, so that the
    /// floors still cover the log.
    private static final int MAX = 512;

    /// Number of last floors whose median is the current live set.
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

    /// Called when an old collection has ended. A new period begins.
    ///
    /// @param isFull true if the application was stopped during all of it
    public void oldCollected(boolean isFull) {
        close();
        open = true;
        full = isFull;
        settled = true;
        floorBytes = Long.MAX_VALUE;
    }

    /// Called when G1 has marked its heap. Regions with both dead and live objects wait for mixed
    /// collections. The occupancy counts as a floor only after the mixed collections, or if none
    /// follow.
    public void marked() {
        oldCollected(false);
        settled = false;
        mixed = false;
        young = 0;
    }

    /// Called for a collection of G1 in the period after marking. If there is nothing to reclaim,
    /// G1 omits both the mixed collections and the young collection that prepares them. Logs before
    /// JDK 9 do not name the latter.
    public void collected(PauseKind kind) {
        if (kind == PauseKind.MIXED) {
            mixed = true;
        } else if (kind.isYoung() && kind != PauseKind.PREPARE_MIXED) {
            young++;
        }
        settled |= young >= (mixed ? 1 : 2);
    }

    /// Records the occupancy after a collection.
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
        if (floors.size() == MAX) {
            for (int i = 0; i < MAX / 2; i++) {
                floors.set(i, floors.get(2 * i));
            }
            floors.subList(MAX / 2, MAX).clear();
        }
        floors.add(new Analysis.Floor(floorS, floorBytes, floorLine, full));
        open = false;
    }

    /// Closes the last period; to be called once at the end.
    public List<Analysis.Floor> finish() {
        close();
        return List.copyOf(floors);
    }

    /// The live set at the end of the log: the median of the last floors. If the later half of the
    /// log has full collections, only their floors count. Concurrent marking leaves objects that
    /// died meanwhile, and G1 leaves regions that its mixed collections do not reach.
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

    /// The lowest occupancy after the last few collections, which is an upper bound of the live
    /// set.
    public Optional<Double> atMost() {
        return lefts == 0
                ? Optional.empty()
                : Optional.of(
                        (double)
                                Arrays.stream(left, 0, Math.min(lefts, LATEST))
                                        .min()
                                        .orElseThrow());
    }

    /// Minimum share of the heap at which the floor cannot rise any more. One survivor space is
    /// always unused, and full collections keep Eden empty as long as possible.
    private static final double CEILING = 0.85;

    /// Minimum ratio to the last floor at which a floor counts as that of a full heap. With fixed
    /// generations, the old generation is full at two thirds or three quarters of the heap. The
    /// young generation fills much later, with objects that do not fit into the old one.
    private static final double PLATEAU = 0.85;

    /// The floors up to the first one of a full heap. A leak that has filled the heap does not rise
    /// any more.
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
