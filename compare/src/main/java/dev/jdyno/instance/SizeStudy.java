package dev.jdyno.instance;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Step;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.cgroup.Cgroups;
import dev.jdyno.trial.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Searches the smallest instance that holds a rate: tests the full size, proposes a size by what
/// it showed, and tests sizes until the smallest good one and its smaller neighbours are known.
public final class SizeStudy {
    private final String plan;
    private final SizeWish wish;
    private final Verifying verifying;
    private final Consumer<Step.Test> begins;
    private final Consumer<SizeTest> tested;
    private final NanoClock clock;
    private final List<SizeTest> tests = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();

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
                plan.name(),
                wish,
                new CgroupVerifying(plan, wish, session, cgroups),
                begins,
                tested,
                session.clock());
    }

    SizeStudy(
            String plan,
            SizeWish wish,
            Verifying verifying,
            Consumer<Step.Test> begins,
            Consumer<SizeTest> tested,
            NanoClock clock) {
        this.plan = plan;
        this.wish = wish;
        this.verifying = verifying;
        this.begins = begins;
        this.tested = tested;
        this.clock = clock;
    }

    /// @throws UserError if the full size cannot be tested
    public Sized run() throws InterruptedException {
        long began = clock.nanos();
        while (true) {
            double left = Durations.seconds(wish.budget()) - clock.secondsSince(began);
            switch (search().next(tests, left)) {
                case Step.Done(End end) -> {
                    return result(end, clock.secondsSince(began));
                }
                case Step.Test test -> {
                    if (!verified(test)) {
                        return result(End.STOPPED, clock.secondsSince(began));
                    }
                }
            }
        }
    }

    /// @return false if it was stopped, or failed for a reason that is not the size
    private boolean verified(Step.Test test) throws InterruptedException {
        begins.accept(test);
        try {
            Optional<SizeTest> result = verifying.verify(test.size(), test.why(), flags(test));
            result.ifPresent(tests::add);
            result.ifPresent(tested);
            return result.isPresent();
        } catch (UserError failed) {
            if (tests.isEmpty()) {
                throw failed;
            }
            notes.add(new Note.Failed(failed));
            return false;
        }
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

    private Sized result(End end, double seconds) {
        return new Sized(
                plan,
                wish,
                demand(),
                proposed(),
                tests,
                end,
                Sized.Found.of(wish, tests),
                notes,
                seconds);
    }
}
