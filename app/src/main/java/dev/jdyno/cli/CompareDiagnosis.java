package dev.jdyno.cli;

import dev.jdyno.compare.Arm;
import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.SeparateTrial;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Variant;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/// Observes both services after the comparison, to explain the difference.
///
/// @param service starts the variants
/// @param session a session with the folder of the comparison's result
record CompareDiagnosis(Settings settings, Service service, Session session) {
    /// Adds both observations to the comparison. If there are none, adds a note with the reason.
    Compared into(Variant a, Variant b, Compared compared) throws InterruptedException {
        try {
            RunResult first = diagnosed(Arm.A, a, compared.concurrency());
            if (session.isStopped()) {
                return compared;
            }
            RunResult second = diagnosed(Arm.B, b, compared.concurrency());
            return session.isStopped()
                    ? compared
                    : compared.with(
                            Difference.of(
                                    first, second, cpu(compared, Arm.A), cpu(compared, Arm.B)));
        } catch (UserError unseen) {
            return compared.noting(new Note.NotDiagnosed(unseen));
        }
    }

    private RunResult diagnosed(Arm arm, Variant variant, int concurrency)
            throws InterruptedException {
        session.listener().phase("looking into " + arm);
        Recording seen =
                new SeparateTrial(settings.block(), settings.warmup(), service, session)
                        .into(variant, List.of(concurrency), "look-" + arm.key())
                        .recording();
        return Judge.rankingBy(Recommendations.Aim.QPS)
                .result(new RunResult.About("", "compare", Instant.EPOCH, 0, arm.name()), seen);
    }

    private static OptionalDouble cpu(Compared compared, Arm arm) {
        return compared.row(Metric.CPU)
                .map(r -> arm == Arm.A ? r.a() : r.b())
                .orElse(OptionalDouble.empty());
    }
}
