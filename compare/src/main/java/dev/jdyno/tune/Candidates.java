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

/// What is worth a try after a diagnosis: recommendations that are settings, sizes of the heap's
/// parts where collections take time, and the plan's own knobs. Pure.
final class Candidates {
    /// Share of the time in collections from which heap settings are tried whatever the verdict.
    static final double GC_FROM = 0.01;

    /// Share from which they come before the plan's knobs.
    private static final double GC_MUCH = 0.05;

    /// Shares of the heap that the young generation is tried at where the heap model knows none.
    private static final double[] YOUNG = {0.3, HeapDivision.MOST_YOUNG};

    private static final long MIB = 1 << 20;

    /// What knobs of a pool are named.
    private static final Pattern SIZES = Pattern.compile("pool|connections|threads|workers");

    private static final Pattern WORDS = Pattern.compile("[^a-z]+");

    private final PoolSettings pools;
    private final List<Knob> knobs;
    private final List<LoggingCost> logging;
    private final List<Change.Launch> patterns;
    private final boolean keepHeap;
    private final boolean takesFlags;

    /// @param pools which property sets which pool
    /// @param knobs of the plan
    /// @param logging what makes each line dear and can be taken out
    /// @param patterns properties that set cheaper patterns
    /// @param keepHeap whether no larger heap is tried
    /// @param takesFlags whether the launch command hands flags on to its JVM
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

    /// All, those of which most is expected first.
    ///
    /// @param beside recommendations of other names that may be right
    /// @param sizes of the heap's parts that the heap model predicts least pauses for
    /// @param tried values of knobs that were tried or are in use, by the knob's name
    List<Candidate> of(
            RunResult result,
            List<Recommendation> beside,
            List<ModelSizes.Sized> sizes,
            List<Change.Launch> incumbent,
            Map<String, Set<String>> tried) {
        Map<String, Candidate> all = new LinkedHashMap<>();
        logging(result).ifPresent(c -> put(all, c));
        // what the plan says of a pool is sure to reach it
        knobs.stream()
                .filter(k -> isOfPool(k, result))
                .forEach(k -> ofKnob(k, incumbent, tried).forEach(c -> put(all, c)));
        Stream.concat(result.prescriptions().stream(), beside.stream())
                .filter(Recommendation::tryable)
                .forEach(r -> ofRecommendation(r, result).ifPresent(c -> put(all, c)));
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

    private static boolean isLargerHeap(Candidate candidate, RunResult result) {
        OptionalDouble wanted = HeapDivision.heapBytes(candidate.changes());
        return wanted.isPresent()
                && wanted.getAsDouble() > result.target().heapMaxBytes().orElse(0L);
    }

    /// Before each larger heap, the larger young generation that it brings along, on the heap as it
    /// is.
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

    /// F9's least size is no news where more is set.
    private static boolean isSmallerYoung(Change.Launch change, double now) {
        return change instanceof Change.JvmFlag flag
                && flag.name().equals("-Xmn")
                && HeapDivision.youngBytes(List.of(flag.argument())).orElse(now)
                        < HeapDivision.LARGER * now;
    }

    /// Share of the time in collections, at the most throughput.
    static double collecting(RunResult result) {
        return result.recording()
                .ofMostThroughput()
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

    /// Of two reasons for the same changes the one that says how much they give, not only how much
    /// at most.
    private static boolean predictsMore(Candidate a, Candidate b) {
        return a.predictedQpsRatio().isPresent()
                && !a.atMost()
                && (b.atMost() || b.predictedQpsRatio().isEmpty());
    }

    /// All dear parts of the logging configuration at once: each alone hides the others. Whatever
    /// the verdict, for what they cost is CPU as often as it is waiting.
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
                result.prescriptions().stream()
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

    /// One edit takes out all of its part, of which a configuration may have several costs.
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
            // logging is one candidate of its own
            case Change.LoggingEdit _ -> List.of();
            case Change.Launch launch -> List.of(launch);
            case Change.PoolSize pool ->
                    pools.of(pool, seen(pool.name(), result), name -> runs(name, result));
            case Change.SystemSetting _,
                    Change.Concurrency _,
                    Change.Cores _,
                    Change.Code _,
                    Change.Outside _ ->
                    List.of();
        };
    }

    /// Whether a framework's code was seen; true where no code was.
    private static boolean runs(String packages, RunResult result) {
        List<String> code = Situation.code(result.recording().insight()).toList();
        return code.isEmpty() || code.stream().anyMatch(name -> name.startsWith(packages));
    }

    /// Whether a knob of the plan sets the size of a pool that is to be another, as its words say.
    private static boolean isOfPool(Knob knob, RunResult result) {
        String words = (knob.name() + " " + knob.where()).toLowerCase(Locale.ROOT);
        return result.prescriptions().stream()
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

    /// Where collections take time: sizes of the heap's parts, and the collector that costs least.
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

    /// What the time in collections can give at most is the prediction.
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
