package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.watch.WatchedHeadroom;
import dev.jdyno.measure.watch.WatchedHeadroom.Peak;
import dev.jdyno.measure.watch.WatchedHeadroom.Traffic;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The headroom of a watched service over hours and days. Each minute is a window of natural load.
public final class MinuteHeadroom {
    private static final double MINUTE_S = 60;

    /// Maximum number of windows, a little more than the minutes of a day. The minutes of a longer
    /// range are joined, because each window costs time in every resample.
    static final int MAX_WINDOWS = 1500;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /// Time by which the last hour may end after the recorded time. Minutes do not begin exactly 60
    /// s apart.
    private static final Duration SLACK = Duration.ofSeconds(30);

    /// Minimum time of an hour that its minutes must cover, in seconds.
    private static final double MIN_HOUR_S = 54 * MINUTE_S;

    /// Maximum size of a pool that limits. A larger number means that the pool has no limit.
    private static final double MAX_SIZE = 1e6;

    private MinuteHeadroom() {}

    /// A pool, by its names in the service's metrics.
    private record PoolId(String name, String library) {
        static PoolId of(PoolFigures p) {
            return new PoolId(p.name(), p.library());
        }
    }

    /// @param minutes of one service, in any order; minutes that do not count are left out
    public static WatchedHeadroom of(List<WatchedMinute> minutes) {
        var usable = new UsableMinutes(minutes);
        List<WatchedMinute> kept = usable.kept();
        long withCount = minutes.stream().filter(m -> m.requests().isPresent()).count();
        boolean counted = 2 * withCount > minutes.size();
        return new WatchedHeadroom(
                kept.size(),
                usable.leftOut(),
                counted
                        ? NaturalLoad.ofWindows(joined(windows(kept)), Optional.empty(), MINUTE_S)
                        : NaturalLoad.uncounted(),
                kept.isEmpty() ? Optional.empty() : Optional.of(traffic(kept)));
    }

    private static List<LoadWindow> windows(List<WatchedMinute> minutes) {
        Map<PoolId, Double> sizes = latestSizes(minutes);
        List<LoadWindow> windows = new ArrayList<>();
        for (WatchedMinute m : minutes) {
            WatchedMinute.Cpu cpu = m.cpu().orElseThrow();
            windows.add(
                    new LoadWindow(
                            m.seconds(),
                            requests(m),
                            cpu.cores(),
                            cpu.availableCores(),
                            cpu.allCores(),
                            pools(m, sizes),
                            List.of(),
                            Map.of()));
        }
        return windows;
    }

    private static double requests(WatchedMinute m) {
        return m.requests().orElseThrow().perS() * m.seconds();
    }

    /// The size of each pool in the last minute that has it.
    private static Map<PoolId, Double> latestSizes(List<WatchedMinute> minutes) {
        Map<PoolId, Double> sizes = new HashMap<>();
        for (WatchedMinute m : minutes.reversed()) {
            limited(m).forEach(p -> sizes.putIfAbsent(PoolId.of(p), p.max().orElseThrow()));
        }
        return sizes;
    }

    /// The pools of a minute whose size and use are known.
    private static List<PoolFigures> limited(WatchedMinute m) {
        return m.pools().stream()
                .limit(WatchedMinute.MAX_POOLS)
                .filter(p -> p.max().filter(n -> n > 0 && n <= MAX_SIZE).isPresent())
                .filter(p -> p.inUse().isPresent())
                .toList();
    }

    /// The pools of a minute that have their latest size. With another size, the free members do
    /// not show the present limit.
    private static List<PoolUse> pools(WatchedMinute m, Map<PoolId, Double> sizes) {
        List<PoolUse> pools = new ArrayList<>();
        Set<PoolId> seen = new HashSet<>();
        for (PoolFigures p : limited(m)) {
            double size = p.max().orElseThrow();
            if (sizes.getOrDefault(PoolId.of(p), 0.0) == size && seen.add(PoolId.of(p))) {
                pools.add(new PoolUse(p.name(), p.library(), p.inUse().orElseThrow(), size));
            }
        }
        return pools;
    }

    private static List<LoadWindow> joined(List<LoadWindow> minutes) {
        int together = Math.max(1, Math.ceilDiv(minutes.size(), MAX_WINDOWS));
        List<LoadWindow> windows = new ArrayList<>();
        for (int i = 0; i + together <= minutes.size(); i += together) {
            minutes.subList(i, i + together).stream()
                    .reduce(LoadWindow::and)
                    .ifPresent(windows::add);
        }
        return windows;
    }

    /// @param minutes at least one, in the order of time
    private static Traffic traffic(List<WatchedMinute> minutes) {
        double requests = 0;
        double seconds = 0;
        WatchedMinute busiest = minutes.getFirst();
        for (WatchedMinute m : minutes) {
            requests += requests(m);
            seconds += m.seconds();
            if (perS(m) > perS(busiest)) {
                busiest = m;
            }
        }
        return new Traffic(
                requests / seconds, new Peak(busiest.at(), perS(busiest)), busiestHour(minutes));
    }

    private static double perS(WatchedMinute m) {
        return m.requests().orElseThrow().perS();
    }

    /// The hour with the highest mean, of all hours that begin with a minute, end within the
    /// recorded time, and are covered nearly whole.
    private static Optional<Peak> busiestHour(List<WatchedMinute> minutes) {
        Instant recorded = minutes.getLast().at().plus(MINUTE);
        Optional<Peak> busiest = Optional.empty();
        int end = 0;
        double requests = 0;
        double seconds = 0;
        for (WatchedMinute first : minutes) {
            Instant after = first.at().plus(HOUR);
            while (end < minutes.size() && minutes.get(end).at().isBefore(after)) {
                requests += requests(minutes.get(end));
                seconds += minutes.get(end).seconds();
                end++;
            }
            if (seconds >= MIN_HOUR_S && !after.minus(SLACK).isAfter(recorded)) {
                var hour = new Peak(first.at(), requests / seconds);
                busiest = busiest.filter(b -> b.perS() >= hour.perS()).or(() -> Optional.of(hour));
            }
            requests -= requests(first);
            seconds -= first.seconds();
        }
        return busiest;
    }
}
