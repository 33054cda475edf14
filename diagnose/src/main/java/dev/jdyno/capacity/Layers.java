package dev.jdyno.capacity;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// The number of requests that each layer of the service can hold at once. If the numbers are far
/// apart, limits above the smallest one only use memory and add queueing. Experiment E6 had such
/// limits: web server 3000 > container 200 > memory 60 > CPU 10.
public final class Layers {
    /// HotSpot's own ratio of Eden to one survivor space.
    private static final double SURVIVOR_RATIO = 8;

    /// Threads that answer JMX clients.
    private static final String JMX = "RMI TCP Connection";

    private static final String RATIO_FLAG = "-XX:SurvivorRatio=";

    private Layers() {}

    /// Minimum ratio of the largest to the smallest layer for them to disagree.
    private static final double DISAGREE_FROM = 2;

    /// Minimum number of cores in use at which a request's CPU demand is known well enough.
    private static final double CORES_FROM = 0.1;

    /// Returns the layers, the largest first and the limit last. Empty for fewer than two layers,
    /// which show nothing.
    ///
    /// @param knee the knee of the closed-loop rounds
    /// @param demands the demands of one request, which include the size of a pool that limits
    /// @param validity shows whether other processes used the CPU before the load began. In that
    ///   case the predicted knee (F1) is not reliable
    public static List<Layer> of(
            Recording recording,
            Optional<Knee> knee,
            List<Demand> demands,
            Verdict verdict,
            Validity validity) {
        return withVerdictLayer(
                withoutVerdict(recording, knee, demands, validity), verdict, recording.census());
    }

    static List<Layer> withoutVerdict(
            Recording recording, Optional<Knee> knee, List<Demand> demands, Validity validity) {
        List<Layer> all = new ArrayList<>(pools(saturated(recording.census()), demands));
        memory(recording.target(), recording.rounds()).ifPresent(all::add);
        if (validity.warnings().stream().noneMatch(w -> w.id().equals(Validity.OTHER_PROCESSES))) {
            cpu(knee).ifPresent(all::add);
        }
        return ranked(all);
    }

    /// Returns the layers of a service under its own load. The CPU limit then comes from this load,
    /// because no load below the knee was measured.
    public static List<Layer> underOwnLoad(Recording recording, Verdict verdict) {
        Optional<ThreadSamples> threadSamples = recording.census().stream().findFirst();
        List<Layer> all =
                new ArrayList<>(pools(saturated(threadSamples.stream().toList()), List.of()));
        memory(recording.target(), recording.rounds()).ifPresent(all::add);
        recording.rounds().stream()
                .findFirst()
                .flatMap(Round::cpu)
                .flatMap(cpu -> threadSamples.flatMap(c -> cpu(c, cpu)))
                .ifPresent(all::add);
        return withVerdictLayer(ranked(all), verdict, recording.census());
    }

    /// Adds the verdict's bottleneck as a layer if it limits the requests at once. If it is not a
    /// layer, no layer is marked as the smallest.
    static List<Layer> withVerdictLayer(
            List<Layer> layers, Verdict verdict, List<ThreadSamples> threadSamples) {
        if (layers.isEmpty()) {
            return layers;
        }
        Optional<Layer> limit = limit(verdict, threadSamples);
        return Stream.concat(
                        limit.stream(),
                        layers.stream()
                                .filter(l -> limit.filter(x -> isSame(x, l)).isEmpty())
                                .map(l ->
                                        limit.isEmpty() && isNamed(l, verdict.bottleneck())
                                                ? l
                                                : l.asSmallest(false)))
                .sorted(
                        Comparator.comparing(Layer::smallest)
                                .thenComparing(
                                        Comparator.comparingDouble(Layer::atOnce).reversed()))
                .toList();
    }

    private static boolean isSame(Layer a, Layer b) {
        return a.kind() == b.kind() && a.of().equals(b.of());
    }

    /// Returns the verdict's bottleneck as a layer, if it is a lock or a starved pool.
    private static Optional<Layer> limit(Verdict verdict, List<ThreadSamples> threadSamples) {
        if (verdict.bottleneck() == Bottleneck.LOCK) {
            return Optional.of(
                    new Layer(
                            Layer.Kind.LOCK,
                            verdict.where(),
                            1,
                            false,
                            "the verdict: one thread at a time holds it",
                            true));
        }
        if (verdict.bottleneck() != Bottleneck.POOL_STARVATION) {
            return Optional.empty();
        }
        return threadSamples.stream()
                .max(
                        Comparator.comparingInt(ThreadSamples::concurrency)
                                .thenComparingInt(ThreadSamples::dumps))
                .stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.name().equals(verdict.where()) && p.size() >= 1)
                .findFirst()
                .map(p ->
                        new Layer(
                                Layer.Kind.THREADS,
                                p.name(),
                                p.size(),
                                false,
                                "the verdict: only this number of the tasks that requests wait"
                                        + " for run at once",
                                true));
    }

    private static boolean isNamed(Layer l, Bottleneck named) {
        return switch (named) {
            case CPU, CPU_QUOTA, CPU_NEIGHBOUR -> l.kind() == Layer.Kind.CPU;
            case THREAD_POOL -> l.kind() == Layer.Kind.THREADS;
            case CONNECTION_POOL -> l.kind() == Layer.Kind.CONNECTIONS;
            default -> false;
        };
    }

    /// True if the smallest layer is at most half of the largest.
    public static boolean disagree(List<Layer> layers) {
        double max =
                layers.stream().filter(l -> !l.waits()).mapToDouble(Layer::atOnce).max().orElse(0);
        return layers.stream().anyMatch(l -> l.smallest() && max >= DISAGREE_FROM * l.atOnce());
    }

    private static List<Layer> ranked(List<Layer> all) {
        if (all.stream().filter(l -> !l.waits()).count() < 2) {
            return List.of();
        }
        OptionalDouble min = all.stream().filter(Layer::isLimit).mapToDouble(Layer::atOnce).min();
        return all.stream()
                .sorted(Comparator.comparingDouble(Layer::atOnce).reversed())
                .map(l ->
                        l.asSmallest(
                                l.isLimit() && min.isPresent() && l.atOnce() <= min.getAsDouble()))
                .toList();
    }

    private static List<Layer> pools(Optional<ThreadSamples> seen, List<Demand> demands) {
        List<Layer> all = new ArrayList<>();
        seen.ifPresent(c -> {
            c.limits().forEach(l -> all.add(set(l)));
            threads(c).ifPresent(all::add);
            connections(c, demands).ifPresent(all::add);
        });
        return all;
    }

    private static Layer set(LayerLimit l) {
        Layer.Kind kind =
                switch (l.kind()) {
                    case THREADS -> Layer.Kind.THREADS;
                    case CONNECTIONS -> Layer.Kind.CONNECTIONS;
                    case FRONT -> Layer.Kind.FRONT;
                    case LISTEN_QUEUE -> Layer.Kind.LISTEN_QUEUE;
                };
        return new Layer(kind, l.layer(), l.atOnce(), false, l.from(), false);
    }

    private static Optional<ThreadSamples> saturated(List<ThreadSamples> threadSamples) {
        return threadSamples.stream()
                .filter(c -> c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::concurrency));
    }

    /// Returns the largest pool that accepts requests. It may grow unless all of its threads were
    /// busy in every dump. Pools that report their limit are left out, because they are layers
    /// already. So are virtual threads, because their number has no limit.
    private static Optional<Layer> threads(ThreadSamples c) {
        return c.pools().stream()
                .filter(p -> p.serving() && !p.loop() && !p.virtual() && p.size() >= 1)
                .filter(p -> !p.name().startsWith(JMX))
                .max(Comparator.comparingDouble(ThreadSamples.Pool::size))
                .filter(p ->
                        c.limits().stream()
                                .noneMatch(l ->
                                        l.kind() == Kind.THREADS && l.layer().equals(p.name())))
                .map(p ->
                        layer(
                                Layer.Kind.THREADS,
                                p.name(),
                                p.size(),
                                p.minIdle() > 0,
                                p.minIdle() > 0
                                        ? "its size in the thread dumps; it may grow"
                                        : "its size in the thread dumps, all in use"));
    }

    /// Returns the pool that requests wait for. Its size is the reported one, or that of the
    /// demands. If both are unknown, it is the number of busy threads that do not wait for a
    /// connection. The text always shows this number.
    private static Optional<Layer> connections(ThreadSamples threadSamples, List<Demand> demands) {
        return Optional.of(threadSamples)
                .filter(c -> c.threads(Cause.POOL) >= 1)
                .map(c -> {
                    double inUse = Math.max(1, c.busyThreads() - c.threads(Cause.POOL));
                    Optional<Double> size = reported(c).or(() -> modelled(demands));
                    return layer(
                            Layer.Kind.CONNECTIONS,
                            busiestPool(c),
                            size.orElse(inUse),
                            false,
                            String.format(
                                    Locale.ROOT,
                                    size.isPresent()
                                            ? "its size; of the threads in use, %.1f do not wait for one"
                                                    + " and %.1f do"
                                            : "of the threads in use, %.1f do not wait for one and"
                                                    + " %.1f do",
                                    inUse,
                                    c.threads(Cause.POOL)));
                });
    }

    /// Returns the size that the pool reports, if only one pool lends.
    private static Optional<Double> reported(ThreadSamples c) {
        return c.lent().size() == 1
                ? c.lent().getFirst().size().filter(size -> size >= 1)
                : Optional.empty();
    }

    private static Optional<Double> modelled(List<Demand> demands) {
        return demands.stream()
                .filter(d -> !d.isDelay() && ResourceName.of(d.resource()).is(Cause.POOL))
                .map(Demand::units)
                .findFirst();
    }

    private static String busiestPool(ThreadSamples c) {
        return c.busy().stream()
                .filter(b -> b.cause() == Cause.POOL)
                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads))
                .map(ThreadSamples.Busy::where)
                .orElse("a pool");
    }

    /// Returns the number of requests that the memory can hold (F6), from counters. Requests fill
    /// Eden between two young collections, so Eden corresponds to the requests between them. A
    /// survivor space is Eden ÷ ratio, so it holds that number ÷ ratio.
    private static Optional<Layer> memory(TargetFacts target, List<Round> rounds) {
        double ratio =
                target.flags().stream()
                        .filter(f -> f.startsWith(RATIO_FLAG))
                        .map(f -> f.substring(RATIO_FLAG.length()))
                        .filter(f -> f.matches("\\d{1,4}"))
                        .mapToDouble(Double::parseDouble)
                        .findFirst()
                        .orElse(SURVIVOR_RATIO);
        if (target.collector().filter(Layers::hasNoSurvivors).isPresent()) {
            return Optional.empty();
        }
        return rounds.stream()
                .filter(round -> requestsAYoungCollection(round) > 0 && promotes(round))
                .max(Comparator.comparingDouble(Round::qps))
                .map(round ->
                        layer(
                                Layer.Kind.MEMORY,
                                "",
                                Math.max(1, requestsAYoungCollection(round) / Math.max(1, ratio)),
                                true,
                                String.format(
                                        Locale.ROOT,
                                        "F6: %.0f requests between young collections fill Eden,"
                                                + " and a survivor space is 1/%.0f of Eden. This"
                                                + " is a lower bound: a request seldom holds all"
                                                + " that it allocates",
                                        requestsAYoungCollection(round),
                                        ratio)));
    }

    private static boolean hasNoSurvivors(String collector) {
        return collector.contains("ZGC")
                || collector.contains("Shenandoah")
                || collector.contains("Epsilon");
    }

    /// True if the collector promotes. A collector without survivor spaces has no such limit.
    private static boolean promotes(Round round) {
        return round.gc().flatMap(GcActivity::promotedBytesPerS).isPresent();
    }

    private static double requestsAYoungCollection(Round round) {
        long young = round.gc().map(g -> g.young().count()).orElse(0L);
        return young < 3 ? 0 : round.requests() / (double) young;
    }

    private static Optional<Layer> cpu(Optional<Knee> knee) {
        return knee.flatMap(Knee::predicted)
                .map(p ->
                        layer(
                                Layer.Kind.CPU,
                                "",
                                p.concurrency(),
                                false,
                                "F1: N* = (T_total / D) · P, for the cores available to it"));
    }

    /// Returns the knee by CPU (F1) from one load. By Little's law, T_total ÷ D is the number of
    /// requests in the service ÷ the cores that it uses. Requests that wait for a core, a lock or a
    /// pool are not counted.
    private static Optional<Layer> cpu(ThreadSamples c, CpuUse cpu) {
        double served =
                c.requests().busyThreads()
                        - c.threads(Cause.RUN_QUEUE)
                        - c.threads(Cause.LOCK)
                        - c.threads(Cause.POOL);
        return cpu.processCores() < CORES_FROM || c.dumps() == 0 || served <= 0
                ? Optional.empty()
                : Optional.of(
                        layer(
                                Layer.Kind.CPU,
                                "",
                                Math.max(1, served / cpu.utilisation()),
                                false,
                                "F1 with measured times: N* = (T_total / D) · P, for the cores"
                                        + " available to it"));
    }

    private static Layer layer(
            Layer.Kind kind, String of, double atOnce, boolean atLeast, String from) {
        return new Layer(kind, of, atOnce, atLeast, from, false);
    }
}
