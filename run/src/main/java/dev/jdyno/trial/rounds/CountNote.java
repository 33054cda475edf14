package dev.jdyno.trial.rounds;

import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Locale;
import java.util.Optional;

/// The note that the service's count of its requests differs from another count.
public final class CountNote {
    private CountNote() {}

    /// Returns the note with the two counts of the requests; empty if they agree.
    public static Optional<Warning> of(ServiceFigures figures) {
        return figures.countsDiffer()
                .map(ratio ->
                        new Warning(
                                "metrics-count",
                                String.format(
                                        Locale.ROOT,
                                        "with %d in flight the service's own metrics count %.1f"
                                                + " requests/s, jdyno counts %.1f (%.2f times):"
                                                + " other clients, or requests that only one of"
                                                + " the two counts",
                                        figures.concurrency(),
                                        figures.perS(),
                                        figures.clientPerS().orElse(0.0),
                                        ratio),
                                false));
    }
}
