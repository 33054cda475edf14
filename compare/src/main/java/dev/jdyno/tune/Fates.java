package dev.jdyno.tune;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.Locale;
import java.util.Optional;

/// What becomes of a candidate by what was measured. Pure.
record Fates(TuneSettings settings) {
    /// Share of the smallest effect that a look must show before a comparison is worth its time.
    private static final double PROMISING = 0.5;

    /// After a look: rejected only where its interval has no gain that matters; of the others,
    /// those that show some of it are worth a comparison.
    Tried looked(Candidate candidate, Raced look) {
        Optional<Tried> failed = failed(candidate, look, Optional.empty());
        if (failed.isPresent()) {
            return failed.get();
        }
        Measured m = look.measured().orElseThrow();
        return new Tried(candidate, afterLook(m), look.measured(), Optional.empty(), "");
    }

    private Fate afterLook(Measured look) {
        if (look.ci95().filter(i -> i.hi() <= 1 + settings.minEffect()).isPresent()) {
            return Fate.REJECTED;
        }
        boolean promises =
                look.gain().filter(g -> g >= 1 + PROMISING * settings.minEffect()).isPresent();
        return promises ? Fate.NOT_COMPARED : Fate.NOT_PROMISING;
    }

    /// After a comparison.
    Tried proved(Tried seen, Raced raced) {
        return failed(seen.candidate(), raced, seen.screened())
                .orElseGet(() -> {
                    Measured m = raced.measured().orElseThrow();
                    Fate fate =
                            switch (m.outcome()) {
                                case BETTER -> Fate.ACCEPTED;
                                case WORSE, EQUIVALENT -> Fate.REJECTED;
                                case INCONCLUSIVE -> Fate.INCONCLUSIVE;
                            };
                    return new Tried(seen.candidate(), fate, seen.screened(), raced.measured(), "");
                });
    }

    /// Why the service cannot be used with what was compared, whatever it gains; empty where it
    /// can.
    Optional<String> unusable(Raced raced) {
        return raced.ended() != Ended.MEASURED
                ? Optional.of(raced.why())
                : brokenGoal(raced.measured());
    }

    /// Where the candidate cannot be used, whatever it gains.
    private Optional<Tried> failed(Candidate candidate, Raced raced, Optional<Measured> screened) {
        Optional<Measured> m = raced.measured();
        Optional<String> why = unusable(raced);
        if (why.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Tried(
                        candidate,
                        raced.ended() == Ended.DID_NOT_START
                                ? Fate.DOES_NOT_START
                                : Fate.INFEASIBLE,
                        screened.or(() -> m),
                        screened.isPresent() ? m : Optional.empty(),
                        why.get()));
    }

    private Optional<String> brokenGoal(Optional<Measured> measured) {
        return settings.goal()
                .flatMap(goal ->
                        measured.flatMap(Measured::goalMs)
                                .filter(ms -> ms > goal.limitMs().orElseThrow())
                                .map(ms ->
                                        String.format(
                                                Locale.ROOT,
                                                "the goal %s is missed: %.3g ms",
                                                goal.name(),
                                                ms)));
    }

    /// Whether it never helps, whatever else is changed: it cannot be used, or harms.
    static boolean rulesOut(Tried tried) {
        return switch (tried.fate()) {
            case DOES_NOT_START, INFEASIBLE -> true;
            case REJECTED -> tried.best().flatMap(Measured::ci95).map(Interval::hi).orElse(1.0) < 1;
            case ACCEPTED, INCONCLUSIVE, NOT_PROMISING, NOT_COMPARED -> false;
        };
    }
}
