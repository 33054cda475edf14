package dev.jdyno.warm;

import dev.jdyno.compare.Note;
import dev.jdyno.trial.ColdStart.Curve;
import dev.jdyno.trial.ColdStart.Second;
import java.util.List;
import java.util.Optional;

/// Notes that the reader of a study's figures must know.
final class WarmNotes {
    private WarmNotes() {}

    /// Returns a note on failed requests; empty if none failed.
    static Optional<Note> errors(String name, List<Curve> starts) {
        List<Second> seconds = starts.stream().flatMap(c -> c.seconds().stream()).toList();
        long errors = seconds.stream().mapToLong(Second::errors).sum();
        double good = seconds.stream().mapToDouble(s -> s.qps() * s.seconds()).sum();
        return errors == 0
                ? Optional.empty()
                : Optional.of(new Note.RequestsFailed(name, errors, Math.round(good) + errors));
    }

    /// Returns a note on rounds without a ratio; empty if all have one.
    static Optional<Note> withoutRatio(Way way, Warmed.Starts asIs, Warmed.Starts with) {
        int without = WarmJudging.roundsWithoutRatio(asIs, with);
        return without == 0
                ? Optional.empty()
                : Optional.of(
                        new Note.WithoutRatio(way.key(), without, WarmJudging.rounds(asIs, with)));
    }
}
