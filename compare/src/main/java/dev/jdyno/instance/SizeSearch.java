package dev.jdyno.instance;

import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which size is tested next. It is a function of the tests so far; the caller tests.
///
/// 1. The full size comes first. If it is bad, no smaller size can be good.
/// 2. The proposed size. After a bad one, the limit that was short is raised: 1, 2, 4 … steps.
/// 3. From the smallest good size, less CPU at the same memory: 1, 2, 4 … steps. A bad size below
///    and a good one above are then halved until they are neighbours. The same with the memory, at
///    the smallest CPU.
/// 4. The smallest good size is tested once more on a fresh start. A size with a good and a bad
///    start counts as not good, and the search goes on above it.
///
/// A size below the full one whose start is open is started once more at once. It is good with two
/// good starts, and counts as not good after a second open one.
///
/// Less CPU and less memory are assumed never to help: a size is known to be bad if a size with at
/// least as much of both was bad.
///
/// @param proposed by the model
public record SizeSearch(SizeGrid grid, InstanceSize proposed) {
    /// Good starts that a size needs to be the answer.
    static final int GOOD_STARTS = 2;

    /// Open starts after which a size counts as not good.
    private static final int OPEN_STARTS = 2;

    private static final Comparator<InstanceSize> SMALLEST =
            Comparator.comparingInt(InstanceSize::milliCpus)
                    .thenComparingInt(InstanceSize::mebibytes);

    /// The next step of a search.
    public sealed interface Step {
        record Test(InstanceSize size, Why why) implements Step {}

        record Done(End end) implements Step {}
    }

    /// Why a search ended.
    public enum End {
        FOUND("found"),
        BUDGET("budget-spent"),
        NONE_GOOD("none-good"),
        STOPPED("interrupted"),
        /// A test failed for a reason that is not the size.
        FAILED("failed");

        private final String key;

        End(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// What is known of the next smaller size of a found one.
    public enum Smaller {
        FAILS("fails"),
        /// A size with the same step less and more of the other limit fails.
        FAILS_WITH_MORE("fails-with-more"),
        NOT_DECIDED("not-decided"),
        /// A size with the same step less and more of the other limit was not decided.
        NOT_DECIDED_WITH_MORE("not-decided-with-more"),
        NOT_TESTED("not-tested"),
        /// The found limit is the lower end of its range.
        NONE("none");

        private final String key;

        Smaller(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// The next smaller size of a found one.
    ///
    /// @param tested size whose tests show it: the next smaller one itself, or one with more of the
    ///   other limit; empty if neither was tested
    public record Below(Smaller known, Optional<InstanceSize> tested) {
        /// True if tests of it left open whether it holds the rate.
        public boolean isOpen() {
            return known == Smaller.NOT_DECIDED || known == Smaller.NOT_DECIDED_WITH_MORE;
        }
    }

    private enum Limit {
        CPU,
        MEMORY
    }

    /// @param tests all tests, in order; the first is of the full size
    /// @param secondsLeft time that is left for further tests
    public Step next(List<SizeTest> tests, double secondsLeft) {
        if (tests.isEmpty()) {
            return new Step.Test(grid.full(), Why.FULL);
        }
        if (tests.getFirst().outcome() == Outcome.BAD) {
            return new Step.Done(End.NONE_GOOD);
        }
        Step wanted = wanted(tests);
        double each = tests.stream().mapToDouble(SizeTest::seconds).average().orElse(0);
        return wanted instanceof Step.Test && each > secondsLeft
                ? new Step.Done(End.BUDGET)
                : wanted;
    }

    private Step wanted(List<SizeTest> tests) {
        if (tests.stream().noneMatch(t -> t.size().equals(proposed))) {
            return new Step.Test(proposed, Why.PROPOSED);
        }
        InstanceSize last = tests.getLast().size();
        if (!last.equals(grid.full()) && isOpen(tests, last)) {
            return new Step.Test(last, Why.UNDECIDED);
        }
        Optional<InstanceSize> best = smallestGood(tests);
        if (best.filter(b -> !b.equals(grid.full())).isEmpty()) {
            Optional<Step> up = larger(tests);
            if (up.isPresent()) {
                return up.get();
            }
        }
        if (best.isEmpty()) {
            return new Step.Done(End.NONE_GOOD);
        }
        InstanceSize at = best.get();
        return smaller(tests, at, Limit.CPU)
                .or(() -> smaller(tests, at, Limit.MEMORY))
                .orElseGet(() ->
                        goodStarts(tests, at) < GOOD_STARTS
                                ? new Step.Test(at, Why.AGAIN)
                                : new Step.Done(End.FOUND));
    }

    /// Fresh starts on which a size was good.
    static long goodStarts(List<SizeTest> tests, InstanceSize size) {
        return starts(tests, size, Outcome.GOOD);
    }

    private static long starts(List<SizeTest> tests, InstanceSize size, Outcome outcome) {
        return tests.stream().filter(t -> t.size().equals(size) && t.outcome() == outcome).count();
    }

    /// True if one start of a size was open, and no other start decides it.
    private static boolean isOpen(List<SizeTest> tests, InstanceSize size) {
        return starts(tests, size, Outcome.OPEN) == 1
                && starts(tests, size, Outcome.BAD) == 0
                && goodStarts(tests, size) == 0;
    }

    /// The good size with the least CPU, and of these the one with the least memory. Empty if none
    /// was good.
    public static Optional<InstanceSize> smallestGood(List<SizeTest> tests) {
        return tests.stream()
                .map(SizeTest::size)
                .distinct()
                .filter(s -> isGood(tests, s))
                .min(SMALLEST);
    }

    private static boolean isGood(List<SizeTest> tests, InstanceSize size) {
        return goodStarts(tests, size) > 0
                && starts(tests, size, Outcome.BAD) == 0
                && starts(tests, size, Outcome.OPEN) < OPEN_STARTS;
    }

    /// The sizes that were not good. A size counts as disturbed if a smaller one was good.
    private static List<InstanceSize> bad(List<SizeTest> tests) {
        List<InstanceSize> good =
                tests.stream().map(SizeTest::size).filter(s -> isGood(tests, s)).toList();
        return tests.stream()
                .map(SizeTest::size)
                .filter(s -> !isGood(tests, s))
                .filter(s -> good.stream().noneMatch(s::covers))
                .distinct()
                .toList();
    }

    private static boolean isBad(List<InstanceSize> bad, InstanceSize size) {
        return bad.stream().anyMatch(b -> b.covers(size));
    }

    /// More of the limit that was short in the last test; empty if only the full size is left.
    private Optional<Step> larger(List<SizeTest> tests) {
        SizeTest last = tests.getLast();
        List<InstanceSize> bad = bad(tests);
        boolean memory =
                last.shortOfMemory() && last.size().mebibytes() < grid.mebibytes().getLast();
        boolean cpu = last.size().milliCpus() < grid.milliCpus().getLast();
        Limit limit = memory || !cpu ? Limit.MEMORY : Limit.CPU;
        Why why = limit == Limit.MEMORY ? Why.LARGER_MEMORY : Why.LARGER_CPU;
        long before = tests.stream().filter(t -> t.why() == why).count();
        List<Integer> steps = steps(limit);
        int from = steps.indexOf(of(last.size(), limit));
        int to = (int) Math.min(steps.size() - 1L, from + (1L << Math.min(before, 20)));
        InstanceSize next = with(last.size(), limit, steps.get(to));
        return next.equals(grid.full()) || isBad(bad, next)
                ? Optional.empty()
                : Optional.of(new Step.Test(next, why));
    }

    /// Less of a limit; empty if the next smaller step is known to be bad, or there is none.
    private Optional<Step> smaller(List<SizeTest> tests, InstanceSize at, Limit limit) {
        List<InstanceSize> bad = bad(tests);
        List<Integer> steps = steps(limit);
        int here = steps.indexOf(of(at, limit));
        int highestBad = here - 1;
        while (highestBad >= 0 && !isBad(bad, with(at, limit, steps.get(highestBad)))) {
            highestBad--;
        }
        if (highestBad == here - 1) {
            return Optional.empty();
        }
        Why why = limit == Limit.CPU ? Why.SMALLER_CPU : Why.SMALLER_MEMORY;
        long good = tests.stream().filter(t -> t.why() == why && isGood(tests, t.size())).count();
        int step =
                highestBad >= 0
                        ? Math.max(1, (here - highestBad) / 2)
                        : (int) Math.min(here, 1L << Math.min(good, 20));
        return Optional.of(new Step.Test(with(at, limit, steps.get(here - step)), why));
    }

    private List<Integer> steps(Limit limit) {
        return limit == Limit.CPU ? grid.milliCpus() : grid.mebibytes();
    }

    private static int of(InstanceSize size, Limit limit) {
        return limit == Limit.CPU ? size.milliCpus() : size.mebibytes();
    }

    private static InstanceSize with(InstanceSize size, Limit limit, int value) {
        return limit == Limit.CPU
                ? new InstanceSize(value, size.mebibytes())
                : new InstanceSize(size.milliCpus(), value);
    }

    /// What is known of a size with one step less CPU.
    public static Below lessCpu(SizeGrid grid, List<SizeTest> tests, InstanceSize size) {
        int i = grid.milliCpus().indexOf(size.milliCpus());
        return i <= 0
                ? new Below(Smaller.NONE, Optional.empty())
                : known(tests, new InstanceSize(grid.milliCpus().get(i - 1), size.mebibytes()));
    }

    /// What is known of a size with one step less memory.
    public static Below lessMemory(SizeGrid grid, List<SizeTest> tests, InstanceSize size) {
        int i = grid.mebibytes().indexOf(size.mebibytes());
        return i <= 0
                ? new Below(Smaller.NONE, Optional.empty())
                : known(tests, new InstanceSize(size.milliCpus(), grid.mebibytes().get(i - 1)));
    }

    private static Below known(List<SizeTest> tests, InstanceSize size) {
        List<InstanceSize> bad = bad(tests);
        List<SizeTest> against =
                tests.stream()
                        .filter(t -> bad.contains(t.size()) && t.size().covers(size))
                        .sorted(Comparator.comparing(SizeTest::size, SMALLEST))
                        .toList();
        Optional<SizeTest> fails =
                against.stream().filter(t -> t.outcome() == Outcome.BAD).findFirst();
        if (fails.isPresent()) {
            return below(fails.get(), size, Smaller.FAILS, Smaller.FAILS_WITH_MORE);
        }
        return against.isEmpty()
                ? new Below(Smaller.NOT_TESTED, Optional.empty())
                : below(
                        against.getFirst(),
                        size,
                        Smaller.NOT_DECIDED,
                        Smaller.NOT_DECIDED_WITH_MORE);
    }

    private static Below below(SizeTest test, InstanceSize size, Smaller itself, Smaller withMore) {
        return new Below(test.size().equals(size) ? itself : withMore, Optional.of(test.size()));
    }
}
