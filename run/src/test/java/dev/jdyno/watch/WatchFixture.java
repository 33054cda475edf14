package dev.jdyno.watch;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Cpu;
import dev.jdyno.measure.watch.WatchedMinute.Dumps;
import dev.jdyno.measure.watch.WatchedMinute.Gc;
import dev.jdyno.measure.watch.WatchedMinute.Named;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import dev.jdyno.measure.watch.WatchedMinute.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    /// The minute, with this confidence of its verdict.
    public WatchedMinute made(double confidence) {
        return made(2, "", confidence);
    }

    /// @param where place of the verdict
    public WatchedMinute made(double longestPauseMs, String where) {
        return made(longestPauseMs, where, 0.9);
    }

    private WatchedMinute made(double longestPauseMs, String where, double confidence) {
        return new WatchedMinute(
                at,
                seconds,
                0,
                0,
                "shop",
                4711,
                Optional.of(new Cpu(cores, 2, Optional.of(2.0), 80, 0, 0)),
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
                new Named(bottleneck, where, confidence),
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

    /// An event as a line of a day file.
    public static String line(WatchEvent event) {
        return EventLine.text(event);
    }

    /// Writes the day files of `shop`: on 2026-11-30 half an hour from 14:00 on with the
    /// bottlenecks `load`, `connection-pool` and `cpu` for 10 minutes each, a gap of an hour, and
    /// 10 minutes of another JVM; on the day before one minute.
    ///
    /// @param folder that does not exist
    /// @return the folder
    public static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>();
        lines.add(line(new WatchEvent.Watching(START, "shop", 4711)));
        for (int n = 0; n < 10; n++) {
            lines.add(minute(n).headroom(1.6 - 0.02 * n).line());
        }
        for (int n = 10; n < 20; n++) {
            WatchFixture full = minute(n).named(Bottleneck.CONNECTION_POOL).pool(10).using(1, 140);
            lines.add(DayLine.text(full.headroom(1.1).made(2, "orders")));
        }
        lines.add(
                line(
                        new WatchEvent.BottleneckChanged(
                                START.plusSeconds(12 * 60),
                                "shop",
                                Optional.of(Bottleneck.LOAD),
                                new Named(Bottleneck.CONNECTION_POOL, "orders", 0.9))));
        for (int n = 20; n < 30; n++) {
            lines.add(minute(n).named(Bottleneck.CPU).using(2, 90).line());
        }
        lines.add(line(new WatchEvent.Gone(START.plusSeconds(30 * 60 + 30), "shop", 4711)));
        lines.add(
                line(
                        new WatchEvent.Restarted(
                                START.plusSeconds(90 * 60), "shop", 4711, 5000, 3600)));
        for (int n = 90; n < 100; n++) {
            lines.add(minute(n).line().replace(":4711,", ":5000,"));
        }
        Files.write(folder.resolve("shop-2026-11-30.jsonl"), lines);
        Files.writeString(
                folder.resolve("shop-2026-11-29.jsonl"),
                minute(0).at(START.minus(Duration.ofDays(1))).line() + "\n");
        return folder;
    }
}
