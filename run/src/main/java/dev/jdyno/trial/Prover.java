package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Affinity;
import dev.jdyno.target.PoolSizes;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Carries out the experiments that test a verdict: a round, the same round with one change, and
/// the same round again. Every change is taken back, even after a failure.
final class Prover {
    /// Time for a new load to settle, as a multiple of its response time.
    private static final double SETTLE_RTS = 3;

    private static final double MAX_SETTLE_SECONDS = 10;

    /// Id of the warning that an experiment left the target changed.
    private static final String NOT_BACK = "not-taken-back";

    private final Loading loading;
    private final Plan plan;
    private final TrialListener listener;

    Prover(Loading loading, Plan plan, TrialListener listener) {
        this.loading = loading;
        this.plan = plan;
        this.listener = listener;
    }

    /// A change that was made.
    ///
    /// @param back takes the change back; returns the effect that remains for a while, empty if
    ///   there is none
    private record Changed(String says, Supplier<Optional<String>> back) {
        static Changed of(String says, Runnable back) {
            return new Changed(
                    says,
                    () -> {
                        back.run();
                        return Optional.empty();
                    });
        }
    }

    /// @param failure the reason why the change could not be taken back
    /// @param stays effect of the change that remains for a while and goes away by itself
    private record TakenBack(Optional<UserError> failure, Optional<String> stays) {}

    /// Results of the experiments.
    ///
    /// @param cut the reason why the series ended: an experiment left the target changed, or the
    ///   target has ended
    record Proved(List<Attempt> attempts, Optional<Cut> cut) {
        Proved {
            attempts = List.copyOf(attempts);
        }

        Optional<UserError> failure() {
            return cut.map(Cut::failure);
        }

        /// Adds a warning on the state of the target to the recording.
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

    /// One experiment, and its lasting effect on the target.
    ///
    /// @param stays effect of the change that remains for a while and goes away by itself
    private record Outcome(Attempt attempt, Optional<Cut> cut, Optional<String> stays) {
        Outcome(Attempt attempt, Optional<Cut> cut) {
            this(attempt, cut, Optional.empty());
        }

        /// The reason why no further experiment may follow.
        Optional<String> last() {
            return cut.map(c -> c.failure().what()).or(() -> stays);
        }
    }

    /// Makes the experiments until the run is stopped. The series ends after one that left the
    /// target changed, even for a while, because the next one would test another service.
    Proved make(List<Challenge> challenges) throws InterruptedException {
        List<Attempt> attempts = new ArrayList<>();
        Optional<Cut> cut = Optional.empty();
        Optional<String> last = Optional.empty();
        for (Challenge challenge : challenges) {
            if (last.isPresent()) {
                attempts.add(new Attempt.NotMade(challenge, "not tried, for " + last.get()));
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
            last = outcome.last();
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
            return new Outcome(notMade(challenge, cannot), ended(cannot));
        }
        double rt = before.map(r -> r.rtMs().mean()).orElse(0.0);
        Optional<Round> during = Optional.empty();
        Optional<Round> after = Optional.empty();
        Optional<UserError> failed = Optional.empty();
        TakenBack back;
        try {
            int concurrency =
                    challenge.change() instanceof Intervention.InFlight(int requests)
                            ? requests
                            : challenge.concurrency();
            during = hold(concurrency, rt);
        } catch (UserError midway) {
            failed = Optional.of(midway);
        } finally {
            back = takeBack(changed);
        }
        if (back.failure().isPresent()) {
            UserError notBack = back.failure().get();
            return new Outcome(
                    notMade(challenge, notBack), Optional.of(new Cut(NOT_BACK, notBack)));
        }
        try {
            if (failed.isEmpty() && back.stays().isEmpty()) {
                after = hold(challenge.concurrency(), rt);
            }
        } catch (UserError midway) {
            failed = Optional.of(midway);
        }
        if (failed.isPresent()) {
            return new Outcome(notMade(challenge, failed.get()), ended(failed.get()), back.stays());
        }
        if (before.isPresent() && during.isPresent() && back.stays().isPresent()) {
            return new Outcome(
                    new Attempt.Made(
                            challenge,
                            changed.says(),
                            before.get(),
                            during.get(),
                            Optional.empty(),
                            back.stays()),
                    Optional.empty(),
                    back.stays());
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

    private static Attempt notMade(Challenge challenge, UserError why) {
        return new Attempt.NotMade(challenge, why.what() + ": " + why.why() + "; " + why.fix());
    }

    /// The reason to end the series, if the target has ended.
    private Optional<Cut> ended(UserError failure) {
        return loading.trialSetup().targetIsAlive()
                ? Optional.empty()
                : Optional.of(new Cut("cut-short", failure));
    }

    /// Takes a change back. A failure to do so does not count if the target has ended.
    private TakenBack takeBack(Changed changed) {
        try {
            return new TakenBack(Optional.empty(), changed.back().get());
        } catch (UserError notRestored) {
            return new TakenBack(
                    Optional.of(notRestored).filter(_ -> loading.trialSetup().targetIsAlive()),
                    Optional.empty());
        }
    }

    private Optional<Round> hold(int concurrency, double rtMs) throws InterruptedException {
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Math.max(
                        Durations.seconds(plan.rounds().settle()),
                        Math.min(MAX_SETTLE_SECONDS, SETTLE_RTS * rtMs / 1000)));
        var windows = new Windows();
        long slices = Math.max(2, Math.round(Durations.seconds(plan.rounds().length())));
        for (int i = 0; i < slices && loading.slice(windows).isPresent(); i++) {
            listener.progress(
                    i + 1,
                    Optional.of((double) slices),
                    Optional.of(windows.slices().getLast().qps()));
        }
        return windows.isEmpty() || loading.stopped()
                ? Optional.empty()
                : Optional.of(windows.round(concurrency));
    }

    /// @throws UserError if the target cannot be changed; then nothing was changed
    private Changed change(Intervention wanted) throws InterruptedException {
        return switch (wanted) {
            case Intervention.InFlight i -> Changed.of(i.says(), () -> {});
            case Intervention.FewerCores(int cores) -> {
                Affinity pinned = Affinity.pin(target(), cores);
                yield Changed.of(pinned.says(), pinned::close);
            }
            case Intervention.LargerPool(var kind, double factor) -> {
                PoolSizes larger = PoolSizes.enlarge(target(), kind, factor);
                yield new Changed(
                        larger.says(),
                        () -> {
                            larger.close();
                            return larger.kept();
                        });
            }
            case Intervention.SlowerDownstream s -> {
                Relay relay =
                        loading.trialSetup()
                                .relay()
                                .orElseThrow(() ->
                                        cannot(
                                                "no relay stands in front of the downstream (--relay"
                                                        + " HOST:PORT with {relay} in the launch command)"));
                relay.delay(s.delay());
                yield Changed.of(s.says(), () -> relay.delay(Duration.ZERO));
            }
        };
    }

    private Target target() {
        return loading.trialSetup()
                .target()
                .orElseThrow(() -> cannot("the run has no target that could be changed"));
    }

    private static UserError cannot(String why) {
        return UserError.target("not possible", why, "see docs/proof.md");
    }
}
