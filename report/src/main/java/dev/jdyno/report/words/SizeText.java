package dev.jdyno.report.words;

import dev.jdyno.instance.InstanceSize;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Smaller;
import dev.jdyno.instance.SizeTest;
import dev.jdyno.instance.SizeWish;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.GoalKnee.Misses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The smallest instance of a service, in words.
public final class SizeText {
    private SizeText() {}

    /// The smallest size, or why there is none.
    public static String verdict(Sized s) {
        String load = load(s);
        if (s.found().isEmpty()) {
            return noSize(s, load);
        }
        Sized.Found found = s.found().get();
        return String.format(
                Locale.ROOT,
                "Smallest tested size: %s CPU, %s memory%s. It holds %s, on %d of %d fresh starts.",
                found.size().cpuText(),
                found.size().memoryText(),
                found.cost().map(c -> " (" + money(c) + " a month)").orElse(""),
                load,
                found.goodStarts(),
                found.goodStarts());
    }

    private static String noSize(Sized s, String load) {
        if (s.tests().isEmpty()) {
            return "No size was tested: it was cut short before.";
        }
        SizeTest full = s.tests().getFirst();
        String size = full.size().cpuText() + " CPU, " + full.size().memoryText() + " memory";
        return full.isGood()
                ? "Only the full size was good."
                : String.format(
                        Locale.ROOT,
                        "No tested size is shown to hold %s. The full size, %s: %s.",
                        load,
                        size,
                        why(full));
    }

    /// The number of replicas, the rate of one and the cost of all; empty for a single instance.
    public static Optional<String> replicas(Sized s) {
        return s.wish().replicas() == 1
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                "replicas: %d, each gets %s/s of %s/s%s",
                                s.wish().replicas(),
                                Figures.number(s.wish().instanceRatePerS()),
                                Figures.number(s.wish().ratePerS()),
                                s.totalCost()
                                        .map(c -> ", all cost " + money(c) + " a month")
                                        .orElse("")));
    }

    /// The number of replicas that the CPU demand suggests if the full size cannot hold the rate.
    public static Optional<String> computedReplicas(Sized s) {
        return s.computedReplicas()
                .map(n ->
                        String.format(
                                Locale.ROOT,
                                "By the CPU demand at full size, %d replicas would hold %s/s. This"
                                        + " is computed, not tested: test it with --replicas %d.",
                                n,
                                Figures.number(s.wish().ratePerS()),
                                n));
    }

    private static String load(Sized s) {
        String goals = s.wish().goals().stream().map(Goal::name).collect(Collectors.joining(", "));
        String rate = Figures.number(s.wish().testedRatePerS()) + "/s";
        return s.wish().reserve() == 0
                ? rate + " under " + goals
                : String.format(
                        Locale.ROOT,
                        "%s under %s: %s/s with a reserve of %.0f %%",
                        rate,
                        goals,
                        Figures.number(s.wish().instanceRatePerS()),
                        100 * s.wish().reserve());
    }

    /// What is known of the sizes one step below; none without a found size.
    public static List<String> smaller(Sized s) {
        return s.found()
                .map(f ->
                        List.of(
                                "One step less CPU" + smaller(f.lessCpu()),
                                "One step less memory" + smaller(f.lessMemory())))
                .orElse(List.of());
    }

    private static String smaller(Smaller known) {
        return switch (known) {
            case FAILS -> " was tested, and fails.";
            case NOT_DECIDED -> " was tested, and was not decided within its time.";
            case NOT_TESTED ->
                    " was not tested: the budget was spent, or the search was cut short.";
            case NONE -> ": none, the size is at the lower end of the range.";
        };
    }

    /// What the test at full size showed, and the size that follows from it.
    public static Optional<String> demand(Sized s) {
        return s.demand()
                .map(d ->
                        String.format(
                                Locale.ROOT,
                                "At full size a request takes %s ms of CPU%s. The model proposed %s.",
                                Figures.number(d.cpuMs()),
                                d.memory()
                                        .map(m ->
                                                String.format(
                                                        Locale.ROOT,
                                                        "; live objects take %s, the JVM outside its heap %s",
                                                        new Bytes(m.liveBytes()),
                                                        new Bytes(m.outsideBytes())))
                                        .orElse(
                                                "; the memory outside the heap cannot be seen with this"
                                                        + " collector"),
                                s.proposed().map(InstanceSize::toString).orElse("nothing")));
    }

    /// A test as a row of a table.
    ///
    /// @param missed share of the requests that missed the goal nearest to its limit
    /// @param throttled share of the demanded CPU time that the quota refused
    /// @param peak highest memory use of the group, with file pages
    public record Row(
            String cpu,
            String memory,
            String outcome,
            String p99,
            String missed,
            String cores,
            String throttled,
            String peak,
            String cost,
            String why) {}

    /// The heads of the columns.
    public static final Row HEADS =
            new Row(
                    "CPU", "memory", "result", "p99 ms", "missed", "used", "refused", "peak",
                    "cost", "");

    public static Row row(SizeWish wish, SizeTest t) {
        Optional<SizeTest.Figures> f = t.figures();
        return new Row(
                t.size().cpuText(),
                t.size().memoryText(),
                t.outcome().key(),
                f.map(v -> Figures.number(v.rtP99Ms())).orElse("-"),
                f.flatMap(v -> worst(v)).map(m -> percent(m.share())).orElse("-"),
                f.map(v -> Figures.number(v.cpuCores())).orElse("-"),
                f.map(v -> percent(v.throttledPct() / 100)).orElse("-"),
                t.memoryPeak().map(Bytes::toString).orElse("-"),
                wish.price().map(p -> money(p.of(t.size()))).orElse(""),
                why(t));
    }

    /// The reason for the outcome of a test; blank if it was good.
    public static String why(SizeTest t) {
        return switch (t.reason()) {
            case NONE -> "";
            case MISSED ->
                    worst(t).map(m ->
                                    String.format(
                                            Locale.ROOT,
                                            "%s missed by %s, allowed %s",
                                            m.goal(),
                                            percent(m.share()),
                                            percent(m.allowed())))
                            .orElse("a goal was missed");
            case QUEUE_GROWS ->
                    "the queue grows without end"
                            + t.figures()
                                    .map(f ->
                                            "; highest throughput "
                                                    + Figures.number(f.maxQps())
                                                    + "/s")
                                    .orElse("");
            case OOM_KILLED -> "killed by the kernel at the memory limit";
            case HEAP_FULL -> "the heap is full";
            case NOT_STARTED -> "did not start: " + firstLine(t.failure());
            case ENDED -> "ended: " + firstLine(t.failure());
            case NOT_DECIDED -> notDecided(t);
        };
    }

    private static String notDecided(SizeTest t) {
        if (t.figures().filter(SizeTest.Figures::clientShort).isPresent()) {
            return "not decided: the load generator was too slow";
        }
        if (t.figures().filter(SizeTest.Figures::disturbed).isPresent()) {
            return "not decided: other processes took "
                    + percent(t.figures().orElseThrow().heldByOthers())
                    + " of its cores";
        }
        return worst(t).map(m ->
                        String.format(
                                Locale.ROOT,
                                "not decided: %s missed by %s to %s, allowed %s",
                                m.goal(),
                                percent(m.lo()),
                                percent(m.hi()),
                                percent(m.allowed())))
                .orElse("not decided");
    }

    private static Optional<Misses> worst(SizeTest t) {
        return t.figures().flatMap(SizeText::worst);
    }

    private static Optional<Misses> worst(SizeTest.Figures f) {
        return f.misses().stream().max(Comparator.comparingDouble(m -> m.share() / m.allowed()));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }

    private static String percent(double share) {
        return String.format(
                Locale.ROOT, share > 0 && share < 0.1 ? "%.2f %%" : "%.0f %%", 100 * share);
    }

    private static String money(double cost) {
        return String.format(Locale.ROOT, "%.2f", cost);
    }

    /// The lines of a container in Kubernetes; none without a found size.
    public static List<String> kubernetes(Sized s) {
        return s.found()
                .map(Sized.Found::size)
                .map(size -> {
                    String both =
                            "{cpu: " + size.cpuText() + ", memory: " + size.memoryText() + "}";
                    return List.of("resources:", "  requests: " + both, "  limits: " + both);
                })
                .orElse(List.of());
    }

    /// The flags for the JVM; blank if it was tested with those of its command.
    public static String jvmFlags(Sized s) {
        return s.found().map(f -> String.join(" ", f.flags())).orElse("");
    }

    /// How the sizes were tested, and what weakens the answer.
    public static List<String> remarks(Sized s) {
        List<String> all = new ArrayList<>();
        all.add(
                "Each test is a fresh start in a control group with this CPU quota and memory limit,"
                        + " warmed up, then loaded at the rate until the goals are decided. Took "
                        + CompareText.time(s.seconds())
                        + ".");
        if (s.end() == End.BUDGET) {
            all.add(
                    "The budget was spent before the search was complete: a longer --budget goes on.");
        }
        long cold =
                s.tests().stream()
                        .filter(t -> t.figures().filter(f -> !f.warm()).isPresent())
                        .count();
        if (cold > 0) {
            all.add(
                    cold
                            + " of "
                            + s.tests().size()
                            + " tests began before the service was steady: give it a longer warm-up"
                            + " (warmup: {atMost: 3m} in the plan).");
        }
        return all;
    }
}
