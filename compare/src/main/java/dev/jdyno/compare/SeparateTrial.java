package dev.jdyno.compare;

import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;

/// Diagnoses a variant under load in a separate start, so that no profiler runs during a measured
/// block.
///
/// @param round length of a round
/// @param warmup longest warm-up
public record SeparateTrial(Duration round, Duration warmup, Service service, Session session) {
    private static final Duration MIN_WARM_UP = Duration.ofSeconds(3);

    private static final int WARM_UP_CONCURRENCY = 8;

    /// @param concurrency the concurrencies of the rounds
    /// @param name name of the folder for the results
    /// @throws dev.jdyno.measure.text.UserError if the variant does not start, or fails
    public TrialOutcome into(Variant variant, List<Integer> concurrency, String name)
            throws InterruptedException {
        Plan started = variant.started();
        Plan looking =
                started.withRounds(
                                new Plan.Rounds(
                                        round,
                                        started.rounds().settle(),
                                        concurrency,
                                        started.rounds().maxConcurrency()))
                        .withWarmup(new Plan.Warmup(MIN_WARM_UP, warmup, WARM_UP_CONCURRENCY));
        TrialOutcome outcome = service.trial(looking, session.inside(name));
        if (outcome.failure().isPresent() && !session.isStopped()) {
            throw outcome.failure().get();
        }
        return outcome;
    }
}
