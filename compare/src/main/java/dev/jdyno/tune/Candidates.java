package dev.jdyno.tune;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.plan.Knob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Chooses the candidates after a diagnosis: recommendations that are settings, sizes of parts of
/// the heap if collections take time, and the plan's own knobs. Pure.
final class Candidates {
    /// Minimum share of time in collections for heap settings to be tried, whatever the verdict.
    static final double GC_FROM = 0.01;

    /// Share of time in collections from which heap settings come before the plan's knobs.
    private static final double GC_MUCH = 0.05;

    /// Upper limit of the predicted throughput ratio below which the log configuration comes after
    /// pools and other recommendations.
    private static final double SMALLEST = 1.03;

    /// Shares of the heap to try for the young generation if the heap model gives none.
    private static final double[] YOUNG = {0.3, HeapDivision.MAX_YOUNG};

    private static final long MIB = 1 << 20;

    /// Words in the names of knobs that size a pool.
    private static final Pattern SIZES = Pattern.compile("pool|connections|threads|workers");

    private static final Pattern WORDS = Pattern.compile("[^a-z]+");

    private final PoolSettings pools;
    private final List<Knob> knobs;
    private final List<LoggingCost> logging;
    private final List<Change.Launch> patterns;
    private final boolean keepHeap;
    private final boolean takesFlags;

    /// @param pools the properties that set pool sizes
    /// @param knobs of the plan
    /// @param logging costly parts of the log configuration that can be removed
    /// @param patterns properties that set cheaper patterns
    /// @param keepHeap whether larger heaps are excluded
    /// @param takesFlags whether the launch command passes flags on to its JVM
    Candidates(
            PoolSettings pools,
            List<Knob> knobs,
            List<LoggingCost> logging,
            List<Change.Launch> patterns,
            boolean keepHeap,
            boolean takesFlags) {
        this.pools = pools;
        this.knobs = List.copyOf(knobs);
        this.logging = List.copyOf(logging);
        this.patterns = List.copyOf(patterns);
        this.keepHeap = keepHeap;
        this.takesFlags = takesFlags;
    }

    /// Returns all candidates, the most promising first.
    ///
    /// @param otherAdvice recommendations for other bottlenecks that are also possible
    /// @param sizes sizes of parts of the heap with the shortest predicted pauses
    /// @param tried knob values that were tried or are in use, by the knob's name
    List<Candidate> of(
            RunResult result,
            List<Recommendation> otherAdvice,
            List<ModelSizes.Sized> sizes,
            List<Change.Launch> incumbent,
            Map<String, Set<String>> tried) {
        Map<String, Candidate> all = new LinkedHashMap<>();
        Optional<Candidate> logging = logging(result);
        logging.filter(c -> !givesNothing(c)).ifPresent(c -> put(all, c));
        // a knob of the plan is certain to reach its pool
        knobs.stream()
                .filter(k -> isOfPool(k, result))
                .forEach(k -> ofKnob(k, incumbent, tried).forEach(c -> put(all, c)));
        Stream.concat(result.recommendations().stream(), otherAdvice.stream())
                .filter(Recommendation::tryable)
                .forEach(r -> ofRecommendation(r, result).ifPresent(c -> put(all, c)));
        logging.ifPresent(c -> put(all, c));
        boolean much = collecting(result) >= GC_MUCH;
        if (much) {
            heap(result, sizes).forEach(c -> put(all, c));
        }
        knobs.forEach(k -> ofKnob(k, incumbent, tried).forEach(c -> put(all, c)));
        if (!much) {
            heap(result, sizes).forEach(c -> put(all, c));
        }
        double young = HeapDivision.youngBytes(result.target().flags()).orElse(0);
        return withYoungParts(all.values(), result).stream()
                .filter(c -> !incumbent.containsAll(c.changes()))
                .filter(c -> c.changes().stream().noneMatch(f -> isSmallerYoung(f, young)))
                .filter(c -> !keepHeap || !isLargerHeap(c, result))
                .filter(c -> takesFlags || c.changes().stream().noneMatch(Change.Launch::isOfJvm))
                .toList();
    }

    /// True if the upper limit of the predicted gain is too small to be proved.
    private static boolean givesNothing(Candidate candidate) {
        return candidate.atMost()
                && candidate.predictedQpsRatio().filter(r -> r < SMALLEST).isPresent();
    }

    private static boolean isLargerHeap(Candidate candidate, RunResult result) {
        OptionalDouble wanted = HeapDivision.heapBytes(candidate.changes());
        return wanted.isPresent()
                && wanted.getAsDouble() > result.target().heapMaxBytes().orElse(0L);
    }

    /// Inserts a candidate before each larger heap: the present heap with the young generation of
    /// the larger one.
    private static List<Candidate> withYoungParts(Collection<Candidate> all, RunResult result) {
        Map<String, Candidate> split = new LinkedHashMap<>();
        Optional<HeapDivision> division = HeapDivision.of(result.target());
        for (Candidate candidate : all) {
            division.flatMap(d -> d.youngPart(candidate.changes()))
                    .map(young ->
                            new Candidate(
                                    "young-part",
                                    "young generation as in a heap of "
                                            + candidate.says().replaceFirst("^\\w+=", ""),
                                    List.of(young),
                                    Optional.empty(),
                                    false))
                    .ifPresent(c -> put(split, c));
            put(split, candidate);
        }
        return List.copyOf(split.values());
    }

    /// True if the change sets a young generation that is not clearly larger than now. The minimum
    /// by the formula F9 is then already met.
    private static boolean isSmallerYoung(Change.Launch change, double now) {
        return change instanceof Change.JvmFlag flag
                && flag.name().equals("-Xmn")
                && HeapDivision.youngBytes(List.of(flag.argument())).orElse(now)
                        < HeapDivision.LARGER * now;
    }

    /// Share of time in collections in the round with the highest throughput.
    static double collecting(RunResult result) {
        return result.recording()
                .atPeakThroughput()
                .flatMap(Round::gc)
                .map(GcActivity::pauseShare)
                .orElse(0.0);
    }

    private static void put(Map<String, Candidate> all, Candidate candidate) {
        all.merge(
                new TreeSet<>(candidate.changes().stream().map(Change.Launch::id).toList())
                        .toString(),
                candidate,
                (known, again) -> predictsMore(again, known) ? again : known);
    }

    /// True if `a` predicts a gain for the same changes and `b` gives none or only an upper bound.
    private static boolean predictsMore(Candidate a, Candidate b) {
        return a.predictedQpsRatio().isPresent()
                && !a.atMost()
                && (b.atMost() || b.predictedQpsRatio().isEmpty());
    }

    /// Removes all costly parts of the log configuration in one candidate, because each part alone
    /// hides the others. It does not depend on the verdict, because they cost CPU time as often as
    /// waiting time.
    private Optional<Candidate> logging(RunResult result) {
        if (logging.isEmpty() && patterns.isEmpty()) {
            return Optional.empty();
        }
        List<Change.Launch> changes =
                Stream.concat(
                                logging.stream()
                                        .map(c ->
                                                new Change.LoggingEdit(
                                                        Optional.of(c.file()),
                                                        c.part().key(),
                                                        edit(c))),
                                patterns.stream())
                        .distinct()
                        .toList();
        Set<String> parts = new TreeSet<>(logging.stream().map(c -> c.part().key()).toList());
        if (!patterns.isEmpty()) {
            parts.add(LogPart.CALLER_DATA.key());
        }
        Optional<Recommendation> best =
                result.recommendations().stream()
                        .filter(r ->
                                r.changes().stream().anyMatch(Change.LoggingEdit.class::isInstance))
                        .filter(r -> r.predictedQpsRatio().isPresent())
                        .findFirst();
        return Optional.of(
                new Candidate(
                        "logging",
                        "logging: no " + String.join(", ", parts),
                        changes,
                        best.flatMap(Recommendation::predictedQpsRatio),
                        best.map(Recommendation::atMost).orElse(false)));
    }

    /// Joins the changes of one part of a log configuration, because one edit removes the whole
    /// part with all its costs.
    private String edit(LoggingCost cost) {
        return logging.stream()
                .filter(c -> c.file().equals(cost.file()) && c.part() == cost.part())
                .map(LoggingCost::change)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private Optional<Candidate> ofRecommendation(Recommendation r, RunResult result) {
        List<Change.Launch> changes = new ArrayList<>();
        for (Change change : r.changes()) {
            List<Change.Launch> applicable = applicable(change, result);
            if (applicable.isEmpty()) {
                return Optional.empty();
            }
            changes.addAll(applicable);
        }
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Candidate(
                                r.id(),
                                r.says().text(),
                                changes,
                                r.predictedQpsRatio(),
                                r.atMost()));
    }

    private List<Change.Launch> applicable(Change change, RunResult result) {
        return switch (change) {
            // changes of logging have their own candidate
            case Change.LoggingEdit _ -> List.of();
            case Change.Launch launch -> List.of(launch);
            case Change.PoolSize pool ->
                    pools.of(pool, seen(pool.name(), result), name -> runs(name, result));
            case Change.SystemSetting _,
                    Change.Concurrency _,
                    Change.Cores _,
                    Change.Code _,
                    Change.CodeAt _,
                    Change.Outside _ ->
                    List.of();
        };
    }

    /// True if samples show code of a framework, or if no code was sampled.
    private static boolean runs(String packages, RunResult result) {
        List<String> code = Situation.code(result.recording().insight()).toList();
        return code.isEmpty() || code.stream().anyMatch(name -> name.startsWith(packages));
    }

    /// True if a knob, judged by its words, sets the size of a pool that a recommendation resizes.
    private static boolean isOfPool(Knob knob, RunResult result) {
        String words = (knob.name() + " " + knob.where()).toLowerCase(Locale.ROOT);
        return result.recommendations().stream()
                .flatMap(r -> r.changes().stream())
                .filter(Change.PoolSize.class::isInstance)
                .map(c -> ((Change.PoolSize) c).name().toLowerCase(Locale.ROOT))
                .anyMatch(pool ->
                        SIZES.matcher(words).find()
                                || WORDS.splitAsStream(pool)
                                        .filter(w -> w.length() > 3)
                                        .anyMatch(words::contains));
    }

    private static OptionalDouble seen(String pool, RunResult result) {
        return result.census().stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.name().equals(pool) && p.size() >= 1)
                .mapToDouble(p -> p.size())
                .reduce((_, later) -> later);
    }

    /// If collections take time: sizes of parts of the heap, and the collector that costs the least
    /// CPU.
    private static List<Candidate> heap(RunResult result, List<ModelSizes.Sized> sizes) {
        double share = Math.min(collecting(result), 0.99);
        Optional<Long> heap = result.target().heapMaxBytes();
        if (share < GC_FROM || heap.isEmpty()) {
            return List.of();
        }
        String collector = result.target().collector().orElse("");
        List<Candidate> all = new ArrayList<>();
        sizes.stream().map(s -> sized(s, share)).forEach(all::add);
        boolean known = sizes.stream().anyMatch(ModelSizes.Sized::isOfYoung);
        if (!known && !collector.startsWith("Z") && !collector.startsWith("Shenandoah")) {
            all.addAll(youngShares(result, heap.get(), share));
        }
        if (!collector.startsWith("Parallel")) {
            all.add(
                    new Candidate(
                            "collector-parallel",
                            "ParallelGC, the collector that costs least CPU",
                            List.of(new Change.JvmFlag("-XX:+UseParallelGC")),
                            Optional.empty(),
                            false));
        }
        return all;
    }

    private static Candidate sized(ModelSizes.Sized size, double share) {
        return new Candidate(
                size.id(), size.says(), size.changes(), Optional.of(size.qpsRatio(share)), false);
    }

    /// Young generations to try. The prediction is an upper bound: all time in collections is
    /// saved.
    private static List<Candidate> youngShares(RunResult result, long heapBytes, double share) {
        double now = HeapDivision.youngBytes(result.target().flags()).orElse(0);
        List<Candidate> all = new ArrayList<>();
        for (double part : YOUNG) {
            double wanted = Math.floor(heapBytes * part / MIB);
            if (wanted >= 1 && wanted * MIB > HeapDivision.LARGER * now) {
                String size = String.format(Locale.ROOT, "%.0fm", wanted);
                all.add(
                        new Candidate(
                                "young-" + size,
                                "young generation of " + size,
                                List.of(new Change.JvmFlag("-Xmn", size)),
                                Optional.of(1 / (1 - share)),
                                true));
            }
        }
        return all;
    }

    private static List<Candidate> ofKnob(
            Knob knob, List<Change.Launch> incumbent, Map<String, Set<String>> tried) {
        Set<String> known = tried.getOrDefault(knob.name(), Set.of());
        Stream<String> near =
                known.stream()
                        .filter(v -> incumbent.contains(knob.to(v)))
                        .flatMap(v -> knob.near(v, List.copyOf(known)).stream());
        return Stream.concat(near, knob.first().stream())
                .distinct()
                .map(v -> Candidate.of(new Candidate.KnobValue(knob.name(), v), knob.to(v)))
                .toList();
    }
}
