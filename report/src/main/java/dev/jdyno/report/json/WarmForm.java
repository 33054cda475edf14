package dev.jdyno.report.json;

import dev.jdyno.compare.Effect;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.Warmed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `jdyno/warm/1`: its components are the keys of the contract, in their order.
public record WarmForm(
        String schema,
        String plan,
        boolean partial,
        int inFlight,
        double trafficS,
        Optional<Double> limitMs,
        double fullQps,
        Optional<Double> plateauQps,
        List<Start> starts,
        List<Try> tried,
        double seconds,
        List<String> notes) {

    public static WarmForm of(Warmed w) {
        return new WarmForm(
                "jdyno/warm/1",
                w.plan(),
                w.partial(),
                w.settings().inFlight(),
                w.settings().length().toMillis() / 1e3,
                w.settings().limitMs(),
                w.fullQps(),
                w.plateauQps(),
                starts(w.asIs()),
                w.tried().stream().map(Try::of).toList(),
                w.seconds(),
                NoteText.of(w.notes()));
    }

    private static List<Start> starts(Warmed.Starts of) {
        List<Start> all = new ArrayList<>();
        for (int i = 0; i < of.curves().size(); i++) {
            all.add(new Start(of.figures().get(i), of.curves().get(i).seconds()));
        }
        return all;
    }

    /// One start.
    public record Start(StartFigures figures, List<ColdStart.Second> curve) {}


    /// One way.
    ///
    /// @param outcome of the lost seconds; empty where it was not tried
    public record Try(
            String name,
            Optional<String> outcome,
            String says,
            Optional<Effect> lost,
            Optional<Effect> firstAnswer,
            Optional<Effect> to90,
            Optional<Double> fullSpeedRatio,
            List<Start> starts) {
        static Try of(Warmed.Tried tried) {
            return switch (tried) {
                case Warmed.Tried.Not not ->
                        new Try(
                                not.way().key(),
                                Optional.empty(),
                                WarmText.says(not),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of());
                case Warmed.Tried.Measured m ->
                        new Try(
                                m.way().key(),
                                Optional.of(m.outcome().key()),
                                WarmText.says(m),
                                m.lost(),
                                m.firstAnswer(),
                                m.to90(),
                                Optional.of(m.speed()),
                                WarmForm.starts(m.starts()));
            };
        }
    }
}
