package dev.jdyno.report.words;

import dev.jdyno.capacity.Layers;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.verdict.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The limits by layer as a table, if they differ.
public final class LayerText {
    /// Column at which the text of a row begins.
    public static final int TEXT_FROM = 21;

    private LayerText() {}

    /// A heading, then the layers from the largest limit, with the smallest one marked; empty if
    /// the limits agree.
    public static List<String> lines(List<Layer> layers) {
        if (!Layers.disagree(layers)) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "Limit by layer (requests at once; limits above the smallest one only add queueing)");
        for (Layer l : layers) {
            String text = Printable.plain(name(l) + ": " + l.from()).replace('\u00b7', 'x');
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "  %7s  %-8s  %s",
                            (l.atLeast() ? ">=" : "") + Figures.number(l.atOnce()),
                            l.smallest() ? "smallest" : l.waits() ? "waiting" : "",
                            text));
        }
        return lines;
    }

    /// The name of a layer in every form of the report.
    public static String name(Layer l) {
        return switch (l.kind()) {
            case FRONT, LISTEN_QUEUE -> l.of();
            case THREADS -> "threads of " + l.of();
            case CONNECTIONS -> "connections of " + l.of();
            case MEMORY -> "memory";
            case CPU -> "CPU";
            case LOCK -> ("lock " + l.of()).strip();
        };
    }
}
