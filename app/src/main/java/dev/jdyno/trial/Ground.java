package dev.jdyno.trial;

import dev.jdyno.load.Body;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.LoadSpec;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Observer;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.util.Optional;

/// What a trial stands on: the target, who watches it, and the client that loads it. Closing it
/// leaves nothing running that we started.
record Ground(Optional<Target> target, Optional<Observer> observer, LoadSession session)
        implements AutoCloseable {

    /// @param folder where the output of a launched target goes
    static Ground prepare(Plan plan, Path folder, NanoClock clock) throws InterruptedException {
        Optional<Target> target =
                switch (plan.target()) {
                    case Plan.TargetPlan.Launch(String command) ->
                            Optional.of(Target.launch(command, folder.resolve("target.log")));
                    case Plan.TargetPlan.Attach(long pid) -> Optional.of(Target.attach(pid));
                    case Plan.TargetPlan.None() -> Optional.empty();
                };
        try {
            return over(target, LoadSession.start(spec(plan), clock), folder, clock);
        } catch (RuntimeException | InterruptedException notStarted) {
            target.ifPresent(Target::close);
            throw notStarted;
        }
    }

    private static Ground over(
            Optional<Target> target, LoadSession session, Path folder, NanoClock clock)
            throws InterruptedException {
        try {
            Optional<Observer> observer =
                    target.isPresent()
                            ? Optional.of(Observer.open(target.get(), clock, folder))
                            : Optional.empty();
            return new Ground(target, observer, session);
        } catch (RuntimeException | InterruptedException notWatched) {
            session.close();
            throw notWatched;
        }
    }

    private static LoadSpec spec(Plan plan) {
        LoadSpec.Builder spec =
                LoadSpec.to(plan.url())
                        .method(plan.method())
                        .requestTimeout(plan.limits().requestTimeout());
        plan.headers().forEach(spec::header);
        plan.body().ifPresent(b -> spec.body(Body.of(b)));
        return spec.build();
    }

    boolean targetIsAlive() {
        return target.map(Target::isAlive).orElse(true);
    }

    @Override
    public void close() {
        try {
            session.close();
        } finally {
            try {
                observer.ifPresent(Observer::close);
            } finally {
                target.ifPresent(Target::close);
            }
        }
    }
}
