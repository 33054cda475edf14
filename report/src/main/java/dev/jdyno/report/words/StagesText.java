package dev.jdyno.report.words;

import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.StageTimes.Stage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The times of the requested stages, a table for each load: each method over the whole window, and
/// below it by interval.
public final class StagesText {
    private static final int NAME = 50;

    /// Smallest figure that is shown as a number; smaller ones are shown as less than this.
    private static final double MIN_MS = 0.001;

    private StagesText() {}

    public static String of(List<StageTimes> all) {
        var text = new StringBuilder();
        for (StageTimes times : all) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "\nStages, %s%.1f s, every call, by %s\n%-50s %8s %9s %9s %9s %9s  %s\n",
                            times.concurrency() == 0 ? "" : times.concurrency() + " in flight, ",
                            times.seconds(),
                            times.source(),
                            "  method, and interval",
                            "calls",
                            "mean ms",
                            "min ms",
                            "max ms",
                            "std dev",
                            "from"));
            for (Stage stage : times.stages()) {
                row(text, "  " + stage.tag(), stage);
                for (StageTimes.Part part : times.parts()) {
                    part.stage(stage.tag())
                            .ifPresent(s ->
                                    row(
                                            text,
                                            String.format(
                                                    Locale.ROOT,
                                                    "    %.1f–%.1f s",
                                                    part.fromS(),
                                                    part.toS()),
                                            s));
                }
            }
            if (!times.note().isEmpty()) {
                text.append("  ").append(times.note()).append('\n');
            }
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String name, Stage s) {
        text.append(
                String.format(
                                Locale.ROOT,
                                "%-50s %8d %9s %9s %9s %9s  %s",
                                TextLines.cut(name, NAME),
                                s.count(),
                                maybe(s.meanMs()),
                                maybe(s.minMs()),
                                maybe(s.maxMs()),
                                maybe(s.stdDevMs()),
                                s.from())
                        .stripTrailing());
        text.append('\n');
    }

    private static String maybe(Optional<Double> figure) {
        return figure.map(StagesText::ms).orElse("-");
    }

    /// A time in ms. A method that takes nanoseconds is not shown as 0.
    private static String ms(double v) {
        return v > 0 && v < MIN_MS ? "<" + Figures.number(MIN_MS) : Figures.number(v);
    }
}
