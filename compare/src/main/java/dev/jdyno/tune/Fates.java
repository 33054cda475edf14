package dev.jdyno.tune;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.Locale;
import java.util.Optional;

/// Decides on a candidate from its measurements. Pure.
record Fates(TuneSettings settings) {
    /// Minimum gain that a look (one start) must show for a comparison, as a share of the smallest
    /// effect.
    private static final double PROMISING = 0.5;

    /// Decides after a look, which is one start. It rejects a candidate only if the interval
    /// excludes a gain that matters. Of the others, those with some gain are worth a comparison.
    Tried looked(Candidate candidate, Raced look) {
        Optional<Tried> failed = failed(candidate, look, Optional.empty());
        if (failed.isPresent()) {
            return failed.get();
        }
        Measured m = look.measured().orElseThrow();
        return new Tried(candidate, afterBlock(m), look.measured(), Optional.empty(), "");
    }

    private Fate afterBlock(Measured look) {
        if (look.ci95().filter(i -> i.hi() <= 1 + settings.minEffect()).isPresent()) {
            return Fate.REJECTED;
        }
        boolean promises =
                look.gain().filter(g -> g >= 1 + PROMISING * settings.minEffect()).isPresent();
        return promises ? Fate.NOT_COMPARED : Fate.NOT_PROMISING;
    }

    /// Decides after a comparison.
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

    /// Returns why the service cannot be used with these changes, even if they gain; empty if it
    /// can.
    Optional<String> unusable(Raced raced) {
        return raced.ended() != Ended.MEASURED
                ? Optional.of(raced.why())
                : brokenGoal(raced.measured());
    }

    /// Returns the decision for a candidate that cannot be used, whatever it gains.
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

    /// True if the candidate cannot help with any other changes: it cannot be used, or it does
    /// harm.
    static boolean rulesOut(Tried tried) {
        return switch (tried.fate()) {
            case DOES_NOT_START, INFEASIBLE -> true;
            case REJECTED -> tried.best().flatMap(Measured::ci95).map(Interval::hi).orElse(1.0) < 1;
            case ACCEPTED, INCONCLUSIVE, NOT_PROMISING, NOT_COMPARED -> false;
        };
    }
}
