package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.Floor;
import java.util.List;
import java.util.Optional;

/// What stays alive grew at one pace since the JVM started, in a log too short for a trend of many
/// old collections. A start fills caches fast and then slows down; what goes on as it began,
/// through most of the log, is a leak as far as such a log can tell. Of 661 logs of 34 programs
/// without one (5 to 60 s, all collectors) none grows so; of 18 short logs of leaks with two floors
/// or more 16 do.
///
/// @param mid the floor about halfway
/// @param last the first that reached what is left at the end
/// @param pace growth per second after `mid`, as a share of that since the start
/// @param ended whether nothing was added after `last`
record GrowthFromStart(Floor mid, Floor last, double pace, boolean ended) {
    /// s of log from which growth must show in a trend.
    static final double SHORT_S = 60;

    /// s that must have passed since the start.
    static final double AT_LEAST_S = 4;

    /// Share of the heap that must have been filled.
    static final double HEAP_SHARE = 0.25;

    /// Share of the log through which it must have grown; a heap that is full grows no more.
    static final double LOG_SHARE = 0.5;

    /// Growth per second late over growth per second since the start: at least, at most.
    static final double SLOWED = 0.7;

    static final double SPED_UP = 1.7;

    /// Most that a floor may lie below an earlier one, as a share of the heap.
    static final double DROP = 0.05;

    /// Share of what is left at the end at which the growth ended.
    private static final double REACHED = 0.97;

    /// Share of the old generation, or of the heap where it is not of a size of its own, from which
    /// nothing more can be kept: what ends below it has levelled off.
    private static final double FULL = 0.85;

    /// Old's part of the heap by `-XX:NewRatio=2`, the default, where the log does not tell it.
    private static final double OLD_BY_DEFAULT = 2.0 / 3;

    /// Share of the time of all floors before which the growth has ended.
    private static final double ENDED = 0.9;

    /// s by which the log may begin after the JVM: its own start counts as the first floor, empty.
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
                .filter(g -> g.last.atS() >= Math.max(AT_LEAST_S, LOG_SHARE * a.spanS()))
                .filter(g -> g.last.bytes() >= HEAP_SHARE * max)
                .filter(g -> !g.ended || g.last.bytes() >= FULL * roomToKeep(a, max))
                .filter(g -> g.pace >= SLOWED && g.pace <= SPED_UP);
    }

    /// Whether the floors of the later half lie about on the line from the start: one collection at
    /// the end that comes too early leaves more than stays.
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

    private static double roomToKeep(Analysis a, double max) {
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
