package dev.jdyno.report.words.memory;

import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.report.words.Figures;
import java.util.Locale;

/// The GC log of a run in one sentence.
public final class GcLogText {
    private GcLogText() {}

    public static String of(GcLogFigures gc) {
        GcLogFigures.Pauses p = gc.pauses();
        String live =
                gc.liveBytes()
                        .map(bytes ->
                                "; live set "
                                        + (gc.liveIsUpperBound() ? "at most " : "")
                                        + Figures.bytes(bytes))
                        .orElse("");
        return String.format(
                Locale.ROOT,
                "%d pauses stopped the application for %s of %s s, p50 %s, p99 %s, longest %s ms%s",
                p.count(),
                Figures.number(100 * gc.pauseShare()) + " %",
                Figures.number(gc.spanS()),
                Figures.number(p.p50()),
                Figures.carries(p.count(), 0.99) ? Figures.number(p.p99()) : "-",
                Figures.number(p.max()),
                live);
    }
}
