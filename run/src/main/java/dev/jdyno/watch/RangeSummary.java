package dev.jdyno.watch;

import dev.jdyno.capacity.headroom.MinuteHeadroom;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import dev.jdyno.measure.watch.WatchedRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Summarises the minutes of one service.
public final class RangeSummary {
    private RangeSummary() {}

    /// The minutes that begin in a range, whose end is not included.
    static List<WatchedMinute> within(List<WatchedMinute> minutes, Instant from, Instant to) {
        return minutes.stream().filter(m -> !m.at().isBefore(from) && m.at().isBefore(to)).toList();
    }

    /// @param minutes at least one
    public static WatchedRange of(
            String service, Instant from, Instant to, List<WatchedMinute> minutes) {
        return new WatchedRange(
                service,
                from,
                to,
                minutes.size(),
                minutes.stream().mapToDouble(WatchedMinute::seconds).sum(),
                verdicts(minutes),
                means(minutes),
                minutes.stream().mapToDouble(WatchedMinute::stoppedS).sum(),
                (int) minutes.stream().mapToLong(WatchedMinute::pid).distinct().count(),
                minutes.stream()
                        .flatMap(m -> m.headroom().stream())
                        .min(Comparator.comparingDouble(WatchedMinute.Room::ratio)),
                pools(minutes),
                Optional.empty());
    }

    /// The same with the headroom of the range, as `diagnose --at` and `/api/watch/range` have it.
    ///
    /// @param minutes at least one
    public static WatchedRange withHeadroom(
            String service, Instant from, Instant to, List<WatchedMinute> minutes) {
        return of(service, from, to, minutes).withHeadroom(MinuteHeadroom.of(minutes));
    }

    private static List<WatchedRange.Share> verdicts(List<WatchedMinute> minutes) {
        Map<Bottleneck, List<WatchedMinute>> byName = new EnumMap<>(Bottleneck.class);
        for (WatchedMinute m : minutes) {
            byName.computeIfAbsent(m.verdict().bottleneck(), _ -> new ArrayList<>()).add(m);
        }
        return byName.entrySet().stream()
                .map(e -> share(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingDouble(WatchedRange.Share::seconds).reversed())
                .toList();
    }

    private static WatchedRange.Share share(Bottleneck name, List<WatchedMinute> minutes) {
        Map<String, Double> places = new LinkedHashMap<>();
        minutes.forEach(m -> places.merge(m.verdict().where(), m.seconds(), Double::sum));
        return new WatchedRange.Share(
                name,
                places.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElse(""),
                minutes.size(),
                minutes.stream().mapToDouble(WatchedMinute::seconds).sum(),
                mean(minutes, m -> Optional.of(m.verdict().confidence()), WatchedMinute::seconds)
                        .orElse(0.0));
    }

    private static WatchedRange.Means means(List<WatchedMinute> minutes) {
        ToDoubleFunction<WatchedMinute> byTime = WatchedMinute::seconds;
        ToDoubleFunction<WatchedMinute> byRequests =
                m -> m.requests().map(r -> r.perS() * m.seconds()).orElse(0.0);
        return new WatchedRange.Means(
                mean(minutes, m -> m.cpu().map(WatchedMinute.Cpu::cores), byTime),
                mean(minutes, m -> m.cpu().map(WatchedMinute.Cpu::utilisation), byTime),
                mean(minutes, m -> m.requests().map(Requests::perS), byTime),
                mean(minutes, m -> m.requests().flatMap(Requests::meanMs), byRequests),
                mean(minutes, m -> m.requests().flatMap(Requests::cpuMs), byRequests),
                mean(minutes, WatchedMinute::inFlight, byTime),
                mean(minutes, m -> m.gc().map(WatchedMinute.Gc::pauseShare), byTime));
    }

    private static Optional<Double> mean(
            List<WatchedMinute> minutes,
            Function<WatchedMinute, Optional<Double>> figure,
            ToDoubleFunction<WatchedMinute> weight) {
        double sum = 0;
        double weights = 0;
        for (WatchedMinute m : minutes) {
            Optional<Double> value = figure.apply(m);
            if (value.isPresent()) {
                sum += value.get() * weight.applyAsDouble(m);
                weights += weight.applyAsDouble(m);
            }
        }
        return weights > 0 ? Optional.of(sum / weights) : Optional.empty();
    }

    private static List<WatchedRange.PoolUse> pools(List<WatchedMinute> minutes) {
        Map<String, Double> highest = new HashMap<>();
        for (WatchedMinute m : minutes) {
            for (PoolFigures p : m.pools()) {
                p.use().ifPresent(use -> highest.merge(p.name(), use, Math::max));
            }
        }
        return highest.entrySet().stream()
                .map(e -> new WatchedRange.PoolUse(e.getKey(), e.getValue()))
                .sorted(
                        Comparator.comparingDouble(WatchedRange.PoolUse::highest)
                                .reversed()
                                .thenComparing(WatchedRange.PoolUse::name))
                .toList();
    }
}
