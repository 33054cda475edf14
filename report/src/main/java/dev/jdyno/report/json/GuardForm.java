package dev.jdyno.report.json;

import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.report.words.GuardText;
import java.util.List;
import java.util.Optional;

/// `jdyno/guard/1`: its components are the keys of the contract, in their order.
public record GuardForm(
        String schema,
        String plan,
        Guarded.Overall verdict,
        Guarded.Mode mode,
        boolean confirmed,
        int days,
        List<FigureRow> figures,
        String bottleneck,
        Optional<Bottleneck> movedFrom,
        List<Guarded.Grew> grew,
        List<Guarded.Allocates> allocates,
        List<Guarded.Measurement> measurements,
        Optional<Double> machine,
        boolean partial,
        double seconds,
        String says,
        List<String> notes) {
    public static GuardForm of(Guarded g) {
        return new GuardForm(
                "jdyno/guard/1",
                g.plan(),
                g.verdict(),
                g.mode(),
                g.confirmed(),
                g.days(),
                g.figures(),
                g.bottleneck().map(Bottleneck::key).orElse(""),
                g.movedFrom(),
                g.grew(),
                g.allocates(),
                g.measurements(),
                g.machine(),
                g.partial(),
                g.seconds(),
                GuardText.verdict(g),
                GuardText.notes(g));
    }


}
