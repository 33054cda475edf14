package dev.jdyno.watch;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Cpu;
import dev.jdyno.measure.watch.WatchedMinute.Dumps;
import dev.jdyno.measure.watch.WatchedMinute.Gc;
import dev.jdyno.measure.watch.WatchedMinute.Named;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import dev.jdyno.measure.watch.WatchedMinute.Room;
import java.time.Instant;
import java.util.Optional;

/// Minutes of a service `shop`.
public record WatchFixture(
        Instant at,
        double seconds,
        Bottleneck bottleneck,
        double cores,
        double perS,
        Optional<Double> headroom,
        Optional<Double> poolInUse) {
    public static final Instant START = Instant.parse("2026-11-30T14:00:00Z");

    /// The n-th minute, with CPU 1.5 of 2 cores, 100 requests/s and no bottleneck but the load.
    public static WatchFixture minute(int n) {
        return new WatchFixture(
                START.plusSeconds(60L * n),
                60,
                Bottleneck.LOAD,
                1.5,
                100,
                Optional.empty(),
                Optional.empty());
    }

    public WatchFixture named(Bottleneck name) {
        return new WatchFixture(at, seconds, name, cores, perS, headroom, poolInUse);
    }

    public WatchFixture lasting(double s) {
        return new WatchFixture(at, s, bottleneck, cores, perS, headroom, poolInUse);
    }

    public WatchFixture at(Instant begin) {
        return new WatchFixture(begin, seconds, bottleneck, cores, perS, headroom, poolInUse);
    }

    public WatchFixture using(double c, double x) {
        return new WatchFixture(at, seconds, bottleneck, c, x, headroom, poolInUse);
    }

    public WatchFixture headroom(double ratio) {
        return new WatchFixture(
                at, seconds, bottleneck, cores, perS, Optional.of(ratio), poolInUse);
    }

    public WatchFixture pool(double inUse) {
        return new WatchFixture(at, seconds, bottleneck, cores, perS, headroom, Optional.of(inUse));
    }

    /// The minute, with dumps that stopped the service for at most 2 ms.
    public WatchedMinute made() {
        return made(2, "");
    }

    /// @param where place of the verdict
    public WatchedMinute made(double longestPauseMs, String where) {
        return new WatchedMinute(
                at,
                seconds,
                0,
                0,
                "shop",
                4711,
                Optional.of(new Cpu(cores, 2, 80, 0, 0)),
                Optional.of(
                        new Requests(
                                perS,
                                "metrics",
                                Optional.of(20.0),
                                Optional.of(1000 * cores / perS))),
                Optional.of(2.0),
                Optional.of(new Gc(0.01, Optional.of(1e6), 0)),
                poolInUse
                        .map(n ->
                                new PoolFigures(
                                        "orders",
                                        "HikariCP",
                                        Optional.of(10.0),
                                        Optional.of(n),
                                        Optional.of(0.0)))
                        .stream()
                        .toList(),
                0,
                new Dumps(3, longestPauseMs),
                new Named(bottleneck, where, 0.9),
                headroom.map(h ->
                        new Room(
                                Headroom.Kind.CPU,
                                "cpu",
                                h,
                                h * 100,
                                new Interval(h * 90, h * 110))));
    }

    /// The minute as a line of a day file.
    public String line() {
        return DayLine.text(made());
    }
}
