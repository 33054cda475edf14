package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.Floor;
import java.util.List;
import java.util.Optional;

/// The live set grew at one pace since the JVM started, in a log too short for a trend over many
/// old collections. After a start, caches fill fast and then more slowly. Growth at one pace
/// through most of the log is a leak, as far as such a log can show. Such growth is in 16 of 18
/// short logs of leaks with two or more floors. It is in no log of programs without a leak (661
/// logs of 34 programs, 5 to 60 s, all collectors).
///
/// @param mid the floor about halfway
/// @param last the first floor that reached the final level
/// @param pace growth per second after `mid`, as a share of the growth per second since the start
/// @param ended true if the growth ended at `last`
record GrowthFromStart(Floor mid, Floor last, double pace, boolean ended) {
    /// Length of a log in seconds from which a trend over many old collections must show the
    /// growth. Only shorter logs are judged here.
    static final double SHORT_S = 60;

    /// Minimum time from the JVM's start to the last floor, in seconds.
    static final double MIN_S = 4;

    /// Minimum share of the heap that the growth filled.
    static final double HEAP_SHARE = 0.25;

    /// Minimum share of the log during which the live set grew; a full heap does not grow any more.
    static final double LOG_SHARE = 0.5;

    /// Growth per second in the later part over growth per second since the start: minimum and
    /// maximum.
    static final double SLOWED = 0.7;

    static final double SPED_UP = 1.7;

    /// Maximum decrease from one floor to a later one, as a share of the heap.
    static final double DROP = 0.05;

    /// Share of the final level from which a floor counts as having reached it.
    private static final double REACHED = 0.97;

    /// Minimum share of the old generation at which it counts as full. If the old generation has no
    /// fixed size, it is a share of the heap. Growth that ends below it has levelled off.
    private static final double FULL = 0.85;

    /// The old generation's share of the heap by the default `-XX:NewRatio=2`, used if the log does
    /// not show it.
    private static final double OLD_BY_DEFAULT = 2.0 / 3;

    /// Maximum position of `last` at which growth counts as ended, as a share of the time of all
    /// floors.
    private static final double ENDED = 0.9;

    /// Maximum delay in seconds between the start of the JVM and the start of its log. Up to this
    /// delay, the JVM's start counts as a first, empty floor.
    private static final double LATE_S = 2;

    static Optional<GrowthFromStart> in(Analysis a) {
        List<Floor> all = a.heap().floors();
        double max = a.heap().maxBytes().orElse(0.0);
        if (all.size() < 2
                || max <= 0
                || a.restarts() > 0
                || a.spanS() >= SHORT_S
                || all.getLast().atS() > a.spanS() + LATE_S
                || drop(all) > DROP * max) {
            return Optional.empty();
        }
        return growth(all)
                .filter(g -> g.isStraight(all))
                .filter(g -> g.last.atS() >= Math.max(MIN_S, LOG_SHARE * a.spanS()))
                .filter(g -> g.last.bytes() >= HEAP_SHARE * max)
                .filter(g -> !g.ended || g.last.bytes() >= FULL * maxOldBytes(a, max))
                .filter(g -> g.pace >= SLOWED && g.pace <= SPED_UP);
    }

    /// True if the floors of the later half are close to the line from the start. A collection that
    /// ends too early leaves more than the live set, so its floor may be above the line.
    private boolean isStraight(List<Floor> floors) {
        return floors.stream()
                .filter(f -> f.atS() >= last.atS() / 2 && f.atS() <= last.atS())
                .mapToDouble(f -> f.bytes() / (perS() * f.atS()))
                .allMatch(part -> part >= SLOWED && part <= SPED_UP);
    }

    private static Optional<GrowthFromStart> growth(List<Floor> floors) {
        Floor last =
                floors.stream()
                        .filter(f -> f.bytes() >= REACHED * floors.getLast().bytes())
                        .findFirst()
                        .orElseThrow();
        Floor mid = floors.getFirst();
        for (Floor floor : floors) {
            if (floor.atS() <= last.atS() / 2) {
                mid = floor;
            }
        }
        if (last.atS() <= mid.atS() || last.bytes() <= 0) {
            return Optional.empty();
        }
        double late = (double) (last.bytes() - mid.bytes()) / (last.atS() - mid.atS());
        return Optional.of(
                new GrowthFromStart(
                        mid,
                        last,
                        late / ((double) last.bytes() / last.atS()),
                        last.atS() < ENDED * floors.getLast().atS()));
    }

    private static double maxOldBytes(Analysis a, double max) {
        double byDefault = a.collector().hasContiguousGenerations() ? OLD_BY_DEFAULT * max : max;
        return a.heap().oldCapacityBytes().filter(old -> old > 0).orElse(byDefault);
    }

    private static double drop(List<Floor> floors) {
        long highest = 0;
        long drop = 0;
        for (Floor floor : floors) {
            highest = Math.max(highest, floor.bytes());
            drop = Math.max(drop, highest - floor.bytes());
        }
        return drop;
    }

    /// Bytes per second since the start.
    double perS() {
        return (double) last.bytes() / last.atS();
    }
}
