package dev.jdyno.report;

import dev.jdyno.capacity.Layers.Layer;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The layers beside the verdict: what it names is a row too where it admits so many requests at
/// once, and no layer is called the smallest where the verdict is something that is no layer.
final class LayerRows {
    private LayerRows() {}

    /// The largest first, the smallest last: one that bears "at least" so much may well bear more.
    ///
    /// @param layers as they were worked out, without the verdict
    /// @param looked the window at the highest load
    static List<Layer> of(List<Layer> layers, Verdict verdict, Optional<Census> looked) {
        if (layers.isEmpty()) {
            return layers;
        }
        Optional<Layer> limit = limit(verdict, looked);
        return Stream.concat(
                        limit.stream(),
                        layers.stream()
                                .filter(l -> limit.filter(x -> x.name().equals(l.name())).isEmpty())
                                .map(l ->
                                        limit.isEmpty() && isNamed(l, verdict.bottleneck())
                                                ? l
                                                : unmarked(l)))
                .sorted(
                        Comparator.comparing(Layer::smallest)
                                .thenComparing(
                                        Comparator.comparingDouble(Layer::atOnce).reversed()))
                .toList();
    }

    /// What the verdict names that the layers leave out.
    private static Optional<Layer> limit(Verdict verdict, Optional<Census> looked) {
        if (verdict.bottleneck() == Bottleneck.LOCK) {
            return Optional.of(
                    smallest(
                            ("lock " + verdict.where()).strip(),
                            1,
                            "the verdict: one thread at a time holds it"));
        }
        return looked.filter(_ -> verdict.bottleneck() == Bottleneck.POOL_STARVATION).stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.name().equals(verdict.where()) && p.size() >= 1)
                .findFirst()
                .map(p ->
                        smallest(
                                "threads of " + p.name(),
                                p.size(),
                                "the verdict: so many of the tasks that requests wait for run at once"));
    }

    private static Layer smallest(String name, double atOnce, String from) {
        return new Layer(name, atOnce, false, from, false, true);
    }

    /// Whether the layer is what the verdict names.
    private static boolean isNamed(Layer l, Bottleneck named) {
        return switch (named) {
            case CPU, CPU_QUOTA, CPU_NEIGHBOUR -> l.name().equals("CPU");
            case THREAD_POOL -> l.name().startsWith("threads of ");
            case CONNECTION_POOL -> l.name().startsWith("connections of ");
            default -> false;
        };
    }

    private static Layer unmarked(Layer l) {
        return new Layer(l.name(), l.atOnce(), l.atLeast(), l.from(), l.waits(), false);
    }
}
