package dev.jdyno.report.words;

import dev.jdyno.instance.InstanceSize;
import dev.jdyno.instance.PoolNeed;
import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.instance.SizeSearch.Below;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeTest;
import dev.jdyno.instance.SizeWish;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.GoalKnee.Misses;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
                found.starts());
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
                                smaller("CPU", f.lessCpu(), "memory", InstanceSize::memoryText),
                                smaller("memory", f.lessMemory(), "CPU", InstanceSize::cpuText)))
                .orElse(List.of());
    }

    /// @param less name of the limit that is one step less
    /// @param other name of the other limit
    /// @param limit the other limit of a size
    private static String smaller(
            String less, Below below, String other, Function<InstanceSize, String> limit) {
        String more =
                below.tested()
                        .map(limit)
                        .map(l -> " with more " + other + " (" + l + ")")
                        .orElse("");
        return "One step less "
                + less
                + switch (below.known()) {
                    case FAILS -> " was tested, and fails.";
                    case FAILS_WITH_MORE -> " was tested" + more + ", and fails.";
                    case NOT_DECIDED -> " was tested, and was not decided within its time.";
                    case NOT_DECIDED_WITH_MORE ->
                            " was tested" + more + ", and was not decided within its time.";
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

    /// How the heap of the launch command relates to the tested one; empty if it has none, or if no
    /// other heap was tested.
    public static Optional<String> heapOfCommand(Sized s) {
        return s.heapOfCommand()
                .filter(_ -> s.found().filter(f -> !f.flags().isEmpty()).isPresent())
                .map(own ->
                        own
                                + " of the launch command counted only at full size: in the other"
                                + " tests, jdyno's -Xmx replaced it.");
    }

    /// The use of each pool, and the places that follow from it.
    public static List<String> pools(Sized s) {
        return s.pools().needs().stream().map(n -> pool(n, s)).toList();
    }

    private static String pool(PoolNeed n, Sized s) {
        PoolDemand seen = n.seen();
        String name =
                seen.library().isEmpty() || seen.library().equals(seen.pool())
                        ? seen.pool()
                        : seen.pool() + " (" + seen.library() + ")";
        return String.format(
                Locale.ROOT,
                "%s: %s%s in use (%s to %s)%s%s. %s needs %s.",
                name,
                Figures.number(seen.inUse()),
                n.present().map(p -> " of " + p).orElse(""),
                Figures.number(seen.ci95().lo()),
                Figures.number(seen.ci95().hi()),
                seen.heldMs().map(ms -> ", each for " + Figures.number(ms) + " ms").orElse(""),
                n.usesPerRequest().map(u -> ", " + Figures.number(u) + " per request").orElse(""),
                Figures.number(s.wish().testedRatePerS()) + "/s",
                n.least() < n.places() ? n.least() + " to " + places(n) : places(n));
    }

    private static String places(PoolNeed n) {
        return n.places() + (n.exceedsMaximum() ? " or more" : "");
    }

    /// The settings for the sizes of the pools, each with what is known of it.
    public static List<String> poolSettings(Sized s) {
        return s.pools().needs().stream()
                .map(n -> setting(n) + " (" + known(n) + less(n) + ")")
                .toList();
    }

    private static String setting(PoolNeed n) {
        return n.setting()
                .written()
                .orElseGet(() ->
                        n.setting()
                                        .name()
                                        // another pool has the line to copy
                                        .filter(_ -> n.holds() != Known.SHARED)
                                        .orElse("size of " + n.seen().pool())
                                + (isLine(n) ? "=" : ": ")
                                + places(n));
    }

    /// True if the property with the number is a line to copy.
    private static boolean isLine(PoolNeed n) {
        return n.setting().property() && n.holds() != Known.SHARED && !n.exceedsMaximum();
    }

    private static String known(PoolNeed n) {
        return switch (n.holds()) {
            case HOLDS -> n.isPresent() ? "as it was in all tests" : "tested, holds the rate";
            case FAILS -> "tested, and FAILS: leave it as it was";
            case NOT_DECIDED -> "tested, not decided";
            case NOT_TESTED -> "computed, not tested";
            case NO_KNOB, NONE ->
                    n.isPresent()
                            ? "as it was in all tests; a smaller one was not tested"
                            : "computed, not tested: no knob of the plan can set it";
            case SHARED -> "computed, not tested: its setting is that of a pool that needs more";
        };
    }

    private static String less(PoolNeed n) {
        String less = n.less().map(l -> "; " + l).orElse("");
        return less.isEmpty() || n.holds() != Known.HOLDS
                ? ""
                : switch (n.lessHolds()) {
                    case HOLDS -> less + " holds, too";
                    case FAILS -> less + " fails";
                    case NOT_DECIDED -> less + " was not decided";
                    case NOT_TESTED, NO_KNOB, SHARED, NONE -> less + " was not tested";
                };
    }

    /// The starts with other pools: their places, and the result.
    public static List<String> poolTests(Sized s) {
        return s.pools().tests().stream()
                .map(t ->
                        String.format(
                                Locale.ROOT,
                                "%s with %s: %s%s",
                                t.test().size(),
                                t.places().isEmpty() ? "the pools as they are" : places(t.places()),
                                t.test().outcome().key(),
                                why(t.test()).isEmpty() ? "" : ", " + why(t.test())))
                .toList();
    }

    private static String places(Map<String, Integer> places) {
        return places.entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    /// What to do after a search that left something open; none if all is decided.
    public static List<String> next(Sized s) {
        List<String> all = new ArrayList<>();
        boolean undecided =
                s.found().filter(f -> f.lessCpu().isOpen() || f.lessMemory().isOpen()).isPresent();
        if (undecided) {
            all.add(
                    "Next: use the found size, which is good. An undecided step is too near to the"
                            + " goal, or was disturbed; test it again with "
                            + range(s.found().orElseThrow().size(), s)
                            + ".");
        }
        if (s.end() == End.BUDGET) {
            all.add("Next: test again with a longer --budget" + anew(s, ", and with "));
        }
        if (s.end() == End.FAILED) {
            all.add(
                    "Next: remove the cause that the note names, then test again"
                            + anew(s, " with "));
        }
        if (s.found().isEmpty() && !s.tests().isEmpty()) {
            all.addAll(openFull(s.tests().getFirst()));
        }
        return all;
    }

    private static String anew(Sized s, String with) {
        return s.found().map(f -> with + range(f.size(), s)).orElse("") + ". The tests begin anew.";
    }

    /// The options that leave only sizes up to this one, with some steps below it.
    private static String range(InstanceSize size, Sized s) {
        return String.format(
                Locale.ROOT,
                "--cpus %dm..%dm --memory %dm..%dm",
                Math.max(s.wish().grid().milliCpus().getFirst(), size.milliCpus() / 2),
                size.milliCpus(),
                Math.max(s.wish().grid().mebibytes().getFirst(), size.mebibytes() / 2),
                size.mebibytes());
    }

    private static List<String> openFull(SizeTest full) {
        if (full.outcome() != Outcome.OPEN) {
            return List.of();
        }
        if (full.figures().filter(SizeTest.Figures::clientShort).isPresent()) {
            return List.of(
                    "Next: leave the load generator more CPU by a smaller upper end of --cpus, or"
                            + " test one of several replicas with --replicas.");
        }
        if (full.figures().filter(SizeTest.Figures::disturbed).isPresent()) {
            return List.of("Next: end the other processes, or wait until the machine is quiet.");
        }
        return List.of(
                "Next: the full size is too near to the goal to decide. Give a lower --rate, more"
                        + " --replicas, or a goal with more room.");
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
            all.add("The budget was spent before the search was complete.");
        }
        if (!s.pools().raised().isEmpty()) {
            String held =
                    s.tests().stream().findFirst().filter(SizeTest::isGood).isPresent()
                            ? "held the rate only with larger pools"
                            : "failed with its own pools, and was not decided with larger ones";
            all.add(
                    "The full size "
                            + held
                            + ". All sizes were tested with these: "
                            + places(s.pools().raised())
                            + ".");
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
