package dev.jdyno.history;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Metric;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.Tuned;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the entry to store from a result.
public final class Entries {
    /// Minimum number of samples of a stored method; fewer are too uncertain.
    private static final long MIN_SAMPLES = 3;

    /// Begin of the unit of a gain, before the name of the figure.
    private static final String RATIO_OF = "ratio of ";

    private Entries() {}

    /// The origin of a result.
    ///
    /// @param folder folder of its files; empty if it has none
    /// @param code the commit of the service's repository
    public record Origin(
            Instant startedAt,
            String commandLine,
            Optional<String> label,
            Optional<Path> folder,
            Optional<Commit> code) {}

    /// @throws IOException if its files cannot be read
    public static Entry of(RunResult run, Origin origin) throws IOException {
        return entry(
                Kind.RUN,
                run.jdyno().name(),
                run.jdyno().durationS(),
                origin,
                Host.environment(run.machine(), Optional.of(run.target())),
                run.verdict().bottleneck().key(),
                Optional.of(run.verdict().bottleneck()),
                run.validity().ok(),
                figures(run),
                parts(run.recording()),
                files(origin));
    }

    /// @param plan name of the service
    public static Entry of(DiagnoseResult watched, String plan, Origin origin) throws IOException {
        List<Entry.Figure> figures = new ArrayList<>();
        watched.throughputPerS()
                .ifPresent(x -> figures.add(figure(Metric.QPS, x, Optional.empty())));
        watched.rtMs()
                .ifPresent(rt -> figures.add(new Entry.Figure("rtMs", "ms", rt, Optional.empty())));
        Recording recording = watched.recording();
        for (Metric metric : List.of(Metric.CPU, Metric.ALLOCATION, Metric.GC)) {
            metric.of(watched.round())
                    .ifPresent(v -> figures.add(figure(metric, v, Optional.empty())));
        }
        return entry(
                Kind.DIAGNOSE,
                plan,
                watched.round().seconds(),
                origin,
                Host.environment(recording.machine(), Optional.of(recording.target())),
                watched.verdict().bottleneck().key(),
                Optional.of(watched.verdict().bottleneck()),
                watched.judged().validity().ok(),
                figures,
                parts(recording),
                files(origin));
    }

    /// Returns the entry of a comparison. Its figures are ratios B ÷ A.
    ///
    /// @param away the machine of the services, if it is not the one that jdyno runs on
    public static Entry of(Compared compared, String plan, Optional<Machine> away, Origin origin)
            throws IOException {
        List<Entry.Figure> figures = new ArrayList<>();
        for (Compared.Row row : compared.rows()) {
            row.effect()
                    .ifPresent(e ->
                            figures.add(
                                    new Entry.Figure(
                                            row.metric().key(),
                                            "ratio",
                                            e.ratio(),
                                            Optional.of(e.interval()))));
        }
        return entry(
                Kind.COMPARE,
                plan,
                compared.seconds(),
                origin,
                away.map(m -> Host.environment(m, compared.factsB()))
                        .orElseGet(() -> Host.environment(compared.factsB())),
                compared.verdict().key(),
                Optional.empty(),
                !compared.partial(),
                figures,
                List.of(),
                files(origin));
    }

    /// Returns the entry of a tuning. Its figures are the confirmed gains and the baseline's
    /// throughput.
    public static Entry of(Tuned tuned, String plan, Origin origin) throws IOException {
        List<Entry.Figure> figures = new ArrayList<>();
        tuned.confirmed().ifPresent(m -> figures.addAll(gains(m)));
        figures.add(figure(Metric.QPS, tuned.baseline().qps(), Optional.empty()));
        return entry(
                Kind.TUNE,
                plan,
                tuned.seconds(),
                origin,
                Host.environment(Optional.empty()),
                tuned.changes().size() + " changes",
                Optional.of(tuned.baseline().bottleneck()),
                !tuned.partial(),
                figures,
                List.of(),
                files(origin));
    }

    /// Returns the gain of a confirmation, whose unit names its figure: throughput, or the median
    /// response time. If the CPU time of a request decided, its gain is a second figure.
    static List<Entry.Figure> gains(Measured confirmed) {
        boolean byCpu = confirmed.by() == Metric.CPU;
        Optional<Double> gain = byCpu ? confirmed.throughputRatio() : confirmed.gain();
        Optional<Interval> ci95 = byCpu ? confirmed.throughputInterval() : confirmed.ci95();
        String of = (byCpu ? Metric.QPS : confirmed.by()).key();
        List<Entry.Figure> figures = new ArrayList<>();
        gain.ifPresent(g -> figures.add(new Entry.Figure("gain", RATIO_OF + of, g, ci95)));
        confirmed
                .cpuGain()
                .ifPresent(g ->
                        figures.add(
                                new Entry.Figure(
                                        "cpuGain",
                                        RATIO_OF + "requests per CPU second",
                                        g,
                                        confirmed.ci95())));
        return figures;
    }

    /// Returns the entry of a guarded run.
    ///
    /// @param recording recording of the load under which the service was diagnosed
    /// @param verdict the guard's verdict
    public static Entry guarded(
            String plan,
            double seconds,
            Recording recording,
            String verdict,
            Bottleneck bottleneck,
            boolean valid,
            List<Entry.Figure> figures,
            Origin origin)
            throws IOException {
        return entry(
                Kind.GUARD,
                plan,
                seconds,
                origin,
                Host.environment(recording.machine(), Optional.of(recording.target())),
                verdict,
                Optional.of(bottleneck),
                valid,
                figures,
                parts(recording),
                files(origin));
    }

    private static List<Entry.Artifact> files(Origin origin) throws IOException {
        return origin.folder().isPresent() ? Artifacts.of(origin.folder().get()) : List.of();
    }

    /// Makes an entry from the parts that every kind of result has.
    static Entry entry(
            Kind kind,
            String plan,
            double seconds,
            Origin origin,
            Entry.Environment environment,
            String verdict,
            Optional<Bottleneck> bottleneck,
            boolean valid,
            List<Entry.Figure> figures,
            List<Entry.Part> parts,
            List<Entry.Artifact> files) {
        return new Entry(
                new Entry.Row(
                        Ids.of(kind, origin.startedAt(), plan, origin.folder()),
                        kind,
                        plan,
                        origin.label(),
                        origin.startedAt(),
                        seconds,
                        origin.code().map(Commit::hash),
                        origin.code().flatMap(Commit::branch),
                        environment,
                        verdict,
                        bottleneck,
                        valid,
                        origin.folder().map(f -> f.toAbsolutePath().normalize().toString()),
                        origin.commandLine()),
                figures,
                parts,
                files);
    }

    /// Returns the files of a result, with checksums.
    public static List<Entry.Artifact> files(Path folder) throws IOException {
        return Artifacts.of(folder);
    }

    /// Returns the machine that jdyno runs on, without a service.
    public static Entry.Environment machine() {
        return Host.environment(Optional.empty());
    }

    /// Returns the figures at the load with the highest throughput, the knee, and the goal rate.
    static List<Entry.Figure> figures(RunResult run) {
        List<Entry.Figure> figures = new ArrayList<>();
        run.recording().atPeakThroughput().ifPresent(r -> figures.addAll(figures(r)));
        run.knee()
                .ifPresent(k ->
                        figures.add(
                                new Entry.Figure(
                                        "knee",
                                        "requests in flight",
                                        k.concurrency(),
                                        Optional.of(k.ci95()))));
        run.goal()
                .filter(g -> Double.isFinite(g.estimate()))
                .ifPresent(g ->
                        figures.add(
                                new Entry.Figure(
                                        "goalRate", "requests/s", g.estimate(), bracket(g))));
        return figures;
    }

    /// Returns the figures of one round.
    static List<Entry.Figure> figures(Round r) {
        List<Entry.Figure> figures = new ArrayList<>();
        figures.add(figure(Metric.QPS, r.qps(), Optional.of(r.qpsCi95())));
        for (Metric metric : Metric.values()) {
            if (metric != Metric.QPS && Metric.Load.USUAL.contains(metric.load())) {
                metric.of(r).ifPresent(v -> figures.add(figure(metric, v, Optional.empty())));
            }
        }
        return figures;
    }

    private static Optional<Interval> bracket(GoalKnee goal) {
        return goal.good().flatMap(lo -> goal.bad().map(hi -> new Interval(lo, hi)));
    }

    /// Returns a figure with its key and unit.
    public static Entry.Figure figure(Metric metric, double value, Optional<Interval> ci95) {
        return new Entry.Figure(metric.key(), metric.unit(), value, ci95);
    }

    /// Returns the response-time breakdown, the methods on the CPU and those that allocate. Each
    /// comes from the highest load that has it.
    public static List<Entry.Part> parts(Recording recording) {
        List<Entry.Part> parts = new ArrayList<>();
        recording.rounds().stream()
                .filter(r -> r.anatomy().isPresent())
                .max(Comparator.comparingInt(Round::concurrency))
                .flatMap(Round::anatomy)
                .ifPresent(b -> parts.addAll(causes(b)));
        hottest(recording.insight()).ifPresent(p -> parts.addAll(methods(p)));
        parts.addAll(allocations(recording.insight().allocations()));
        return parts;
    }

    /// Returns the allocation by method. A method's sample count follows its share of the bytes,
    /// because a large object is sampled as often as a small one.
    static List<Entry.Part> allocations(List<Insight.Allocation> found) {
        double listed = found.stream().mapToDouble(Insight.Allocation::share).sum();
        if (!(listed > 0)) {
            return List.of();
        }
        long samples = found.stream().mapToLong(Insight.Allocation::samples).sum();
        double all = samples / Math.min(1, listed);
        Map<String, Double> shares = new LinkedHashMap<>();
        found.forEach(a -> shares.merge(a.site(), a.share(), Double::sum));
        shares.put(Entry.PartKind.ELSEWHERE, Math.max(0, 1 - listed));
        return shares.entrySet().stream()
                .map(e ->
                        new Entry.Part(
                                Entry.PartKind.ALLOCATION,
                                e.getKey(),
                                0,
                                Math.round(e.getValue() * all)))
                .filter(p -> p.samples() > 0)
                .toList();
    }

    private static List<Entry.Part> causes(Breakdown breakdown) {
        return breakdown.perRequestMs().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Comparator.comparingDouble(e -> -e.getValue()))
                .map(e -> new Entry.Part(Entry.PartKind.CAUSE, e.getKey().key(), e.getValue(), 0))
                .toList();
    }

    private static Optional<Profile> hottest(Insight insight) {
        return insight.profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.CPU && p.qps() > 0)
                .max(Comparator.comparingInt(Profile::concurrency));
    }

    private static List<Entry.Part> methods(Profile profile) {
        return profile.samplesByApplicationFrame().entrySet().stream()
                .filter(e -> e.getValue() >= MIN_SAMPLES)
                .map(e ->
                        new Entry.Part(
                                Entry.PartKind.METHOD,
                                e.getKey(),
                                profile.perRequestMs(e.getValue()),
                                e.getValue()))
                .sorted(Comparator.comparingDouble(p -> -p.ms()))
                .toList();
    }
}
