package dev.jdyno.trial;

import dev.jdyno.load.Level;
import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.UserError;
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

    /// Those that were made before it was stopped.
    List<Attempt> make(List<Challenge> challenges) throws InterruptedException {
        List<Attempt> attempts = new ArrayList<>();
        for (Challenge challenge : challenges) {
            if (loading.stopped()) {
                attempts.add(new Attempt.NotMade(challenge, "interrupted"));
                continue;
            }
            listener.phase("testing the verdict: " + challenge.change().says());
            attempts.add(make(challenge));
        }
        return attempts;
    }

    private Attempt make(Challenge challenge) throws InterruptedException {
        try {
            Optional<Round> before = hold(challenge.concurrency(), 0);
            double rt = before.map(r -> r.rtMs().mean()).orElse(0.0);
            Changed changed = change(challenge.change());
            Optional<Round> during;
            try {
                int concurrency =
                        challenge.change() instanceof Intervention.InFlight(int requests)
                                ? requests
                                : challenge.concurrency();
                during = hold(concurrency, rt);
            } finally {
                changed.back().run();
            }
            Optional<Round> after = hold(challenge.concurrency(), rt);
            if (before.isEmpty() || during.isEmpty() || after.isEmpty()) {
                return new Attempt.NotMade(challenge, "interrupted");
            }
            return new Attempt.Made(
                    challenge, changed.says(), before.get(), during.get(), after.get());
        } catch (UserError cannot) {
            return new Attempt.NotMade(challenge, cannot.what() + ": " + cannot.why());
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
