package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Cpu;
import dev.jdyno.measure.watch.WatchedMinute.Dumps;
import dev.jdyno.measure.watch.WatchedMinute.Named;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/// A minute of a simulated service. A request takes 2 ms of CPU, and 0.1 cores are used without
/// requests. With 2 cores, CPU allows 950 requests/s.
///
/// @param from source of the count of requests; blank: not counted
/// @param available cores; 0: CPU not measured
/// @param all cores that the service may use at all
/// @param inUse members of the pool `orders` in use; negative: no pool
record SimulatedMinute(
        Instant at,
        double seconds,
        double stoppedS,
        long pid,
        String from,
        double perS,
        double cores,
        double available,
        double all,
        double inUse,
        double size,
        Bottleneck verdict) {
    static final Instant DAY = Instant.parse("2026-11-30T00:00:00Z");
    static final int MINUTES = 1440;
    static final double CORES = 2;
    static final double LIMIT = 950;

    /// Requests per second on a day that is quiet at midnight and busy at noon.
    static double curve(int minute) {
        return 300 * (1 - 0.7 * Math.cos(2 * Math.PI * minute / MINUTES));
    }

    static SimulatedMinute of(int minute, double perS, double cores) {
        return new SimulatedMinute(
                DAY.plusSeconds(60L * minute),
                60,
                0,
                4711,
                "metrics",
                perS,
                cores,
                CORES,
                CORES,
                -1,
                8,
                Bottleneck.LOAD);
    }

    /// Minutes of the curve.
    ///
    /// @param noise of the CPU of a minute, as a share of it; the traffic has half of it
    static List<SimulatedMinute> day(long seed, double noise) {
        Random random = new Random(seed);
        List<SimulatedMinute> minutes = new ArrayList<>();
        for (int n = 0; n < MINUTES; n++) {
            double perS = curve(n) * (1 + noise / 2 * random.nextGaussian());
            double cores = (0.1 + 0.002 * perS) * (1 + noise * random.nextGaussian());
            minutes.add(of(n, perS, Math.clamp(cores, 0, 2)));
        }
        return minutes;
    }

    static List<WatchedMinute> made(List<SimulatedMinute> minutes) {
        return minutes.stream().map(SimulatedMinute::made).toList();
    }

    /// A copy of the minutes with some of them changed.
    ///
    /// @param end index after the last one that is changed
    static List<SimulatedMinute> with(
            List<SimulatedMinute> minutes,
            int begin,
            int end,
            UnaryOperator<SimulatedMinute> change) {
        List<SimulatedMinute> changed = new ArrayList<>(minutes);
        changed.subList(begin, end).replaceAll(change);
        return changed;
    }

    SimulatedMinute at(Instant begin) {
        return new SimulatedMinute(
                begin, seconds, stoppedS, pid, from, perS, cores, available, all, inUse, size,
                verdict);
    }

    SimulatedMinute lasting(double s, double stopped) {
        return new SimulatedMinute(
                at, s, stopped, pid, from, perS, cores, available, all, inUse, size, verdict);
    }

    SimulatedMinute of(long jvm) {
        return new SimulatedMinute(
                at, seconds, stoppedS, jvm, from, perS, cores, available, all, inUse, size,
                verdict);
    }

    SimulatedMinute counted(String source, double x) {
        return new SimulatedMinute(
                at, seconds, stoppedS, pid, source, x, cores, available, all, inUse, size, verdict);
    }

    SimulatedMinute cpu(double used, double of) {
        return cpu(used, of, Math.max(CORES, of));
    }

    /// @param all cores that the service may use at all
    SimulatedMinute cpu(double used, double of, double all) {
        return new SimulatedMinute(
                at, seconds, stoppedS, pid, from, perS, used, of, all, inUse, size, verdict);
    }

    SimulatedMinute pool(double used, double of) {
        return new SimulatedMinute(
                at, seconds, stoppedS, pid, from, perS, cores, available, all, used, of, verdict);
    }

    SimulatedMinute named(Bottleneck name) {
        return new SimulatedMinute(
                at, seconds, stoppedS, pid, from, perS, cores, available, all, inUse, size, name);
    }

    WatchedMinute made() {
        return new WatchedMinute(
                at,
                seconds,
                0,
                stoppedS,
                "shop",
                pid,
                available == 0
                        ? Optional.empty()
                        : Optional.of(new Cpu(cores, available, Optional.of(all), 80, 0, 0)),
                from.isBlank()
                        ? Optional.empty()
                        : Optional.of(
                                new Requests(perS, from, Optional.of(20.0), Optional.empty())),
                Optional.empty(),
                Optional.empty(),
                inUse < 0
                        ? List.of()
                        : List.of(
                                new PoolFigures(
                                        "orders",
                                        "HikariCP",
                                        Optional.of(size),
                                        Optional.of(inUse),
                                        Optional.empty())),
                0,
                new Dumps(3, 2),
                new Named(verdict, "", 0.9),
                Optional.empty());
    }
}
