package dev.jdyno.instance;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Step;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.cgroup.Cgroups;
import dev.jdyno.trial.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Searches the smallest instance that holds a rate: tests the full size, proposes a size by what
/// it showed, and tests sizes until the smallest good one and its smaller neighbours are known.
/// Then it proposes the sizes of the pools, and tests those that the plan has a knob for.
public final class SizeStudy {
    private static final Pattern MAX_HEAP =
            Pattern.compile("(?<=\\s)-(?:Xmx|XX:MaxHeapSize=)\\w{1,20}");

    private static final Pattern HEAP_SHARE =
            Pattern.compile("(?<=\\s)-XX:MaxRAMPercentage=[\\d.]{1,20}");

    private final String plan;
    private final Optional<String> heapOfCommand;
    private final List<Knob> knobs;
    private final SizeWish wish;
    private final Verifying verifying;
    private final Consumer<Step.Test> begins;
    private final Consumer<SizeTest> tested;
    private final NanoClock clock;
    private final PoolModel model;
    private final List<SizeTest> tests = new ArrayList<>();
    private final List<PoolTest> poolTests = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private Map<String, Integer> raised = Map.of();

    /// Why no further test follows; empty while one can.
    private Optional<End> cut = Optional.empty();

    /// @param begins is given each test before it begins
    /// @param tested is given each test when it ends
    public SizeStudy(
            Plan plan,
            SizeWish wish,
            Session session,
            Cgroups cgroups,
            Consumer<Step.Test> begins,
            Consumer<SizeTest> tested) {
        this(
                plan,
                wish,
                new CgroupVerifying(plan, wish, session, cgroups),
                begins,
                tested,
                session.clock());
    }

    SizeStudy(
            Plan plan,
            SizeWish wish,
            Verifying verifying,
            Consumer<Step.Test> begins,
            Consumer<SizeTest> tested,
            NanoClock clock) {
        this.plan = plan.name();
        this.heapOfCommand = heapOf(plan.target());
        this.knobs = plan.knobs();
        this.wish = wish;
        this.verifying = verifying;
        this.begins = begins;
        this.tested = tested;
        this.clock = clock;
        this.model = new PoolModel(wish, knobs);
    }

    /// A JVM ignores the share if it has a size, and of two sizes the first.
    private static Optional<String> heapOf(Plan.TargetPlan target) {
        return target instanceof Plan.TargetPlan.Launch(String command)
                ? last(MAX_HEAP, command).or(() -> last(HEAP_SHARE, command))
                : Optional.empty();
    }

    private static Optional<String> last(Pattern flag, String command) {
        return flag.matcher(command).results().map(m -> m.group()).reduce((_, b) -> b);
    }

    /// @throws UserError if the full size cannot be tested
    public Sized run() throws InterruptedException {
        long began = clock.nanos();
        End end = search(began);
        List<PoolNeed> needs = needs();
        if (end == End.FOUND) {
            needs = pools(began, needs);
        }
        return new Sized(
                plan,
                wish,
                demand(),
                proposed(),
                tests,
                end,
                Sized.Found.of(wish, tests),
                new Sized.Pools(needs, poolTests, raised),
                heapOfCommand,
                notes,
                clock.secondsSince(began));
    }

    private double secondsLeft(long began) {
        return Durations.seconds(wish.budget()) - clock.secondsSince(began);
    }

    private End search(long began) throws InterruptedException {
        while (true) {
            switch (search().next(tests, secondsLeft(began))) {
                case Step.Done(End end) -> {
                    return end == End.FOUND ? end : cut.orElse(end);
                }
                case Step.Test test -> {
                    if (cut.isPresent()) {
                        return cut.get();
                    }
                    verified(test, raised).ifPresent(tests::add);
                    if (test.why() == Why.FULL && cut.isEmpty()) {
                        raisedPools(tests.getFirst());
                    }
                }
            }
        }
    }

    /// Tests the full size with larger pools, if it is bad and a pool with a knob is too small for
    /// the rate. Smaller sizes then have these pools, too.
    private void raisedPools(SizeTest full) throws InterruptedException {
        Map<String, Integer> larger = new TreeMap<>();
        if (full.outcome() == Outcome.BAD && !full.shortOfMemory()) {
            List<PoolNeed> needs = model.needs(full);
            Set<String> tooSmall =
                    needs.stream()
                            .filter(n -> n.present().filter(p -> p < n.places()).isPresent())
                            .flatMap(n -> n.setting().knob().stream())
                            .collect(Collectors.toSet());
            // a knob also sets the pools that are large enough, so it gets the largest need
            needs.stream()
                    .filter(PoolNeed::isSettable)
                    .forEach(n ->
                            n.setting()
                                    .knob()
                                    .filter(tooSmall::contains)
                                    .ifPresent(k -> larger.put(k, n.places())));
        }
        if (larger.isEmpty()) {
            return;
        }
        var again = new Step.Test(wish.grid().full(), Why.LARGER_POOLS);
        Optional<SizeTest> result = verified(again, larger);
        if (result.isEmpty()) {
            return;
        }
        if (result.get().outcome() == Outcome.BAD) {
            poolTests.add(new PoolTest(larger, result.get()));
        } else {
            poolTests.add(new PoolTest(Map.of(), full));
            tests.clear();
            tests.add(result.get());
            raised = larger;
        }
    }

    /// Tests the proposed sizes of the pools, at the smallest size.
    ///
    /// @return what is known of them then
    private List<PoolNeed> pools(long began, List<PoolNeed> needs) throws InterruptedException {
        InstanceSize size = SizeSearch.smallestGood(tests).orElseThrow();
        List<PoolTest> own = new ArrayList<>();
        double each = tests.stream().mapToDouble(SizeTest::seconds).average().orElse(0);
        while (true) {
            var study = new PoolStudy(needs, own);
            Optional<PoolStudy.Next> next = study.next();
            if (next.isEmpty() || cut.isPresent() || each > secondsLeft(began)) {
                return study.results();
            }
            Map<String, Integer> places = next.get().places();
            verified(new Step.Test(size, next.get().why()), places)
                    .map(t -> new PoolTest(places, t))
                    .ifPresent(t -> {
                        own.add(t);
                        poolTests.add(t);
                    });
        }
    }

    /// The needs of the pools at the smallest size, where they were seen; otherwise at full size.
    private List<PoolNeed> needs() {
        Optional<InstanceSize> smallest = SizeSearch.smallestGood(tests);
        return tests.reversed().stream()
                .filter(t -> smallest.filter(t.size()::equals).isPresent())
                .filter(t -> t.pools().isPresent())
                .findFirst()
                .or(() -> tests.stream().filter(t -> t.pools().isPresent()).findFirst())
                .map(model::needs)
                .orElse(List.of());
    }

    /// @return empty if it was stopped, or failed for a reason that is not the size; then no other
    ///   test may follow
    private Optional<SizeTest> verified(Step.Test test, Map<String, Integer> places)
            throws InterruptedException {
        begins.accept(test);
        Optional<SizeTest> result = Optional.empty();
        try {
            result = verifying.verify(test.size(), test.why(), flags(test), changes(places));
            result.ifPresentOrElse(tested, () -> cut = Optional.of(End.STOPPED));
        } catch (UserError failure) {
            if (tests.isEmpty()) {
                throw failure;
            }
            failed(failure);
        }
        verifying.blocked().ifPresent(this::failed);
        return result;
    }

    private void failed(UserError failure) {
        notes.add(new Note.Failed(failure));
        cut = cut.or(() -> Optional.of(End.FAILED));
    }

    /// The values of the knobs for these places.
    private List<Change.Launch> changes(Map<String, Integer> places) {
        var all = new TreeMap<>(raised);
        all.putAll(places);
        return knobs.stream()
                .filter(k -> all.containsKey(k.name()))
                .map(k -> k.to(String.valueOf(all.get(k.name()))))
                .toList();
    }

    /// The full size runs as the plan starts it; each other one gets a heap that fits. A size that
    /// is tested again has the same flags.
    private List<String> flags(Step.Test test) {
        return tests.stream()
                .filter(t -> t.size().equals(test.size()))
                .findFirst()
                .map(SizeTest::flags)
                .orElseGet(
                        () -> tests.isEmpty() ? List.of() : SizeModel.flags(test.size(), demand()));
    }

    private Optional<SizeDemand> demand() {
        return tests.isEmpty() ? Optional.empty() : SizeDemand.of(tests.getFirst());
    }

    private SizeSearch search() {
        return new SizeSearch(wish.grid(), proposed().orElse(wish.grid().full()));
    }

    private Optional<InstanceSize> proposed() {
        return demand().map(d -> SizeModel.proposal(d, wish));
    }
}
