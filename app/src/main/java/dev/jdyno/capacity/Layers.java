package dev.jdyno.capacity;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How many requests at once each layer of the service is worth, side by side: where they lie far
/// apart, the layers disagree, and what is set above the smallest only holds memory and queues (E6:
/// web server 3000 > container 200 > memory 60 > CPU 10).
public final class Layers {
    /// HotSpot's own ratio of Eden to one survivor space.
    private static final double SURVIVOR_RATIO = 8;

    private static final String RATIO_FLAG = "-XX:SurvivorRatio=";

    private Layers() {}

    /// @param atOnce requests
    /// @param atLeast whether the layer may bear more
    /// @param from how the figure was got
    /// @param smallest whether no other layer whose figure is known is worth less; what bears so
    ///   much "at least" is never it
    public record Layer(
            String name, double atOnce, boolean atLeast, String from, boolean smallest) {}

    /// The largest first; fewer than two say nothing, and there are none then.
    public static List<Layer> of(RunResult r) {
        List<Layer> all = new ArrayList<>();
        threads(r).ifPresent(all::add);
        connections(r).ifPresent(all::add);
        memory(r).ifPresent(all::add);
        cpu(r).ifPresent(all::add);
        if (all.size() < 2) {
            return List.of();
        }
        double least =
                all.stream()
                        .filter(l -> !l.atLeast())
                        .mapToDouble(Layer::atOnce)
                        .min()
                        .orElse(Double.NaN);
        return all.stream()
                .sorted(Comparator.comparingDouble(Layer::atOnce).reversed())
                .map(l ->
                        new Layer(
                                l.name(),
                                l.atOnce(),
                                l.atLeast(),
                                l.from(),
                                !l.atLeast() && l.atOnce() <= least))
                .toList();
    }

    private static Optional<Census> saturated(RunResult r) {
        return r.census().stream()
                .filter(c -> c.dumps() > 0)
                .max(Comparator.comparingInt(Census::concurrency));
    }

    /// The largest pool that takes requests in. It may grow unless all of its threads were busy in
    /// every dump.
    private static Optional<Layer> threads(RunResult r) {
        return saturated(r)
                .flatMap(c ->
                        c.pools().stream()
                                .filter(p -> p.serving() && !p.loop() && p.size() >= 1)
                                .max(Comparator.comparingDouble(Census.Pool::size))
                                .map(p ->
                                        layer(
                                                "threads of " + p.name(),
                                                p.size(),
                                                p.minIdle() > 0,
                                                p.minIdle() > 0
                                                        ? "its size in the thread dumps; it may grow"
                                                        : "its size in the thread dumps, all busy")));
    }

    /// Requests that hold a connection while others wait for one.
    private static Optional<Layer> connections(RunResult r) {
        return saturated(r)
                .filter(c -> c.threads(Cause.POOL) >= 1)
                .map(c ->
                        layer(
                                "connections of " + busiestPool(c),
                                Math.max(1, c.busyThreads() - c.threads(Cause.POOL)),
                                false,
                                String.format(
                                        Locale.ROOT,
                                        "busy threads that do not wait for one, while %.1f do",
                                        c.threads(Cause.POOL))));
    }

    private static String busiestPool(Census c) {
        return c.busy().stream()
                .filter(b -> b.cause() == Cause.POOL)
                .max(Comparator.comparingDouble(Census.Busy::threads))
                .map(Census.Busy::where)
                .orElse("a pool");
    }

    /// F6 with what the counters know: Eden is what is allocated between two young collections, so
    /// Eden ÷ bytes per request is the requests between them, and a survivor space is Eden ÷ ratio.
    private static Optional<Layer> memory(RunResult r) {
        double ratio =
                r.target().flags().stream()
                        .filter(f -> f.startsWith(RATIO_FLAG))
                        .map(f -> f.substring(RATIO_FLAG.length()))
                        .filter(f -> f.matches("\\d{1,4}"))
                        .mapToDouble(Double::parseDouble)
                        .findFirst()
                        .orElse(SURVIVOR_RATIO);
        if (r.target().collector().filter(Layers::hasNoSurvivors).isPresent()) {
            return Optional.empty();
        }
        return r.rounds().stream()
                .filter(round -> requestsAYoungCollection(round) > 0 && promotes(round))
                .max(Comparator.comparingDouble(Round::qps))
                .map(round ->
                        layer(
                                "memory",
                                Math.max(1, requestsAYoungCollection(round) / Math.max(1, ratio)),
                                true,
                                String.format(
                                        Locale.ROOT,
                                        "F6: %.0f requests between young collections fill Eden, a survivor space"
                                                + " is 1/%.0f of it; at least, for a request seldom holds all"
                                                + " that it allocates",
                                        requestsAYoungCollection(round),
                                        ratio)));
    }

    private static boolean hasNoSurvivors(String collector) {
        return collector.contains("ZGC")
                || collector.contains("Shenandoah")
                || collector.contains("Epsilon");
    }

    /// A collector without survivor spaces has no such limit.
    private static boolean promotes(Round round) {
        return round.gc().flatMap(GcActivity::promotedBytesPerS).isPresent();
    }

    private static double requestsAYoungCollection(Round round) {
        long young = round.gc().map(g -> g.young().count()).orElse(0L);
        return young < 3 ? 0 : round.requests() / (double) young;
    }

    private static Optional<Layer> cpu(RunResult r) {
        return r.knee()
                .flatMap(Knee::predicted)
                .map(p ->
                        layer(
                                "CPU",
                                p.concurrency(),
                                false,
                                "F1: N* = (T_total / D) · P, for the cores left to it"));
    }

    private static Layer layer(String name, double atOnce, boolean atLeast, String from) {
        return new Layer(name, atOnce, atLeast, from, false);
    }
}
