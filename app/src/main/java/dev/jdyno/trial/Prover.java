package dev.jdyno.trial;

import dev.jdyno.load.Level;
import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Affinity;
import dev.jdyno.target.PoolSizes;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Carries out the experiments that put a verdict to the test: a round, the same with one thing
/// changed, the same again. What was changed is taken back whatever happens meanwhile.
final class Prover {
    /// Response times of a new load settle in a few of them.
    private static final double SETTLE_RTS = 3;

    private static final double SETTLE_MOST_SECONDS = 10;

    /// Id of the warning that the target is not as it was.
    private static final String NOT_BACK = "not-taken-back";

    private final Loading loading;
    private final Plan plan;
    private final TrialListener listener;

    Prover(Loading loading, Plan plan, TrialListener listener) {
        this.loading = loading;
        this.plan = plan;
        this.listener = listener;
    }

    /// Something that was changed.
    ///
    /// @param back takes the change back
    private record Changed(String says, Runnable back) {}

    /// What came of the experiments.
    ///
    /// @param cut what ended the series: a target that is not as it was, or that is no more
    record Proved(List<Attempt> attempts, Optional<Cut> cut) {
        Proved {
            attempts = List.copyOf(attempts);
        }

        Optional<UserError> failure() {
            return cut.map(Cut::failure);
        }

        /// With what the reader of the result must know of the target.
        Recording marked(Recording recording) {
            return cut.map(c ->
                            recording.with(
                                    new Warning(
                                            c.id(),
                                            c.failure().what()
                                                    + ": "
                                                    + c.failure().why()
                                                    + "; "
                                                    + c.failure().fix(),
                                            false)))
                    .orElse(recording);
        }
    }

    /// @param id of the warning
    record Cut(String id, UserError failure) {}

    /// One experiment, and what it did to the target for good.
    private record Outcome(Attempt attempt, Optional<Cut> cut) {}

    /// Those that were made before it was stopped. None follows one that left the target changed:
    /// it would be made on another service.
    Proved make(List<Challenge> challenges) throws InterruptedException {
        List<Attempt> attempts = new ArrayList<>();
        Optional<Cut> cut = Optional.empty();
        for (Challenge challenge : challenges) {
            if (cut.isPresent()) {
                attempts.add(
                        new Attempt.NotMade(
                                challenge, "not tried, for " + cut.get().failure().what()));
                continue;
            }
            if (loading.stopped()) {
                attempts.add(new Attempt.NotMade(challenge, "interrupted"));
                continue;
            }
            listener.phase("testing the verdict: " + challenge.change().says());
            Outcome outcome = make(challenge);
            attempts.add(outcome.attempt());
            cut = outcome.cut();
        }
        return new Proved(attempts, cut);
    }

    private Outcome make(Challenge challenge) throws InterruptedException {
        Changed changed;
        Optional<Round> before;
        try {
            before = hold(challenge.concurrency(), 0);
            changed = change(challenge.change());
        } catch (UserError cannot) {
            return notMade(challenge, cannot, ended(cannot));
        }
        double rt = before.map(r -> r.rtMs().mean()).orElse(0.0);
        Optional<Round> during = Optional.empty();
        Optional<Round> after = Optional.empty();
        Optional<UserError> failed = Optional.empty();
        Optional<UserError> notBack;
        try {
            int concurrency =
                    challenge.change() instanceof Intervention.InFlight(int requests)
                            ? requests
                            : challenge.concurrency();
            during = hold(concurrency, rt);
        } catch (UserError midway) {
            failed = Optional.of(midway);
        } finally {
            notBack = takeBack(changed);
        }
        if (notBack.isPresent()) {
            return notMade(challenge, notBack.get(), Optional.of(new Cut(NOT_BACK, notBack.get())));
        }
        try {
            if (failed.isEmpty()) {
                after = hold(challenge.concurrency(), rt);
            }
        } catch (UserError midway) {
            failed = Optional.of(midway);
        }
        if (failed.isPresent()) {
            return notMade(challenge, failed.get(), ended(failed.get()));
        }
        if (before.isEmpty() || during.isEmpty() || after.isEmpty()) {
            return new Outcome(new Attempt.NotMade(challenge, "interrupted"), Optional.empty());
        }
        var made =
                new Attempt.Made(
                        challenge, changed.says(), before.get(), during.get(), after.get());
        return new Outcome(
                made,
                Aftermath.of(challenge, changed.says(), before.get(), during.get(), after.get())
                        .map(left -> new Cut(NOT_BACK, left)));
    }

    private static Outcome notMade(Challenge challenge, UserError why, Optional<Cut> cut) {
        return new Outcome(
                new Attempt.NotMade(challenge, why.what() + ": " + why.why() + "; " + why.fix()),
                cut);
    }

    /// A target that has ended ends the series, too.
    private Optional<Cut> ended(UserError failure) {
        return loading.ground().targetIsAlive()
                ? Optional.empty()
                : Optional.of(new Cut("cut-short", failure));
    }

    /// Why it could not be taken back; a target that has ended has nothing to be taken back.
    private Optional<UserError> takeBack(Changed changed) {
        try {
            changed.back().run();
            return Optional.empty();
        } catch (UserError notRestored) {
            return loading.ground().targetIsAlive() ? Optional.of(notRestored) : Optional.empty();
        }
    }

    private Optional<Round> hold(int concurrency, double rtMs) throws InterruptedException {
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Math.max(
                        Durations.seconds(plan.rounds().settle()),
                        Math.min(SETTLE_MOST_SECONDS, SETTLE_RTS * rtMs / 1000)));
        var windows = new Windows();
        long slices = Math.max(2, Math.round(Durations.seconds(plan.rounds().length())));
        for (int i = 0; i < slices && !loading.stopped(); i++) {
            loading.slice(windows);
            listener.progress(
                    i + 1, Optional.of((double) slices), windows.slices().getLast().qps());
        }
        return windows.isEmpty() || loading.stopped()
                ? Optional.empty()
                : Optional.of(windows.round(concurrency));
    }

    /// @throws UserError when it cannot be changed; then nothing was
    private Changed change(Intervention wanted) throws InterruptedException {
        return switch (wanted) {
            case Intervention.InFlight i -> new Changed(i.says(), () -> {});
            case Intervention.FewerCores(int cores) -> {
                Affinity pinned = Affinity.pin(target(), cores);
                yield new Changed(pinned.says(), pinned::close);
            }
            case Intervention.LargerPool(var kind, double factor) -> {
                PoolSizes larger = PoolSizes.enlarge(target(), kind, factor);
                yield new Changed(larger.says(), larger::close);
            }
            case Intervention.SlowerDownstream s -> {
                Relay relay =
                        loading.ground()
                                .relay()
                                .orElseThrow(() ->
                                        cannot(
                                                "no relay stands in front of the downstream (--relay"
                                                        + " HOST:PORT with {relay} in the launch command)"));
                relay.delay(s.delay());
                yield new Changed(s.says(), () -> relay.delay(Duration.ZERO));
            }
        };
    }

    private Target target() {
        return loading.ground()
                .target()
                .orElseThrow(() -> cannot("the run has no target that could be changed"));
    }

    private static UserError cannot(String why) {
        return UserError.target("not possible", why, "see docs/observing.md");
    }
}
