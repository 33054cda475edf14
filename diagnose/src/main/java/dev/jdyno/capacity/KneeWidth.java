package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Knee;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Explains why a knee's interval is wide: rounds at the same load disagree, or no round is well
/// below the knee.
final class KneeWidth {
    /// Minimum ratio of the highest to the lowest throughput at the same load for a note. From it
    /// on, the service's own variation changes throughput as much as the load does.
    private static final double SCATTERS = 1.5;

    private KneeWidth() {}

    /// Returns notes on why the knee cannot be determined, or on rounds at the same load that
    /// disagree.
    static CapacityNotes notes(Knee knee, Asymptotes a, List<Round> closed) {
        Optional<String> scatter = scatter(closed);
        if (knee.isDeterminable()) {
            return CapacityNotes.NONE.plus(scatter.stream().toList());
        }
        List<String> why = new ArrayList<>(scatter.stream().toList());
        if (a.minKnee().isPresent()) {
            why.add("no round lies well below it");
        }
        if (why.isEmpty()) {
            why.add(
                    "saturated throughput is %s/s, response times well below it %s ms, second by second"
                            .formatted(
                                    seconds(a.repeats(), s -> s.qps()),
                                    seconds(a.base(), s -> s.rtMeanMs())));
        }
        return new CapacityNotes(
                Optional.of(String.join("; ", why)),
                a.minKnee().isPresent() ? Asymptotes.lower(closed) : List.of(),
                Optional.empty(),
                List.of());
    }

    /// Returns text such as `with 16 in flight 5 rounds gave 212 to 720/s`.
    private static Optional<String> scatter(List<Round> closed) {
        return closed.stream()
                .collect(
                        Collectors.groupingBy(
                                Round::concurrency, Collectors.summarizingDouble(Round::qps)))
                .entrySet()
                .stream()
                .filter(e -> e.getValue().getMax() >= SCATTERS * e.getValue().getMin())
                .max(Comparator.comparingDouble(e -> ratio(e.getValue())))
                .map(e -> says(e));
    }

    private static double ratio(DoubleSummaryStatistics qps) {
        return qps.getMax() / qps.getMin();
    }

    private static String says(Map.Entry<Integer, DoubleSummaryStatistics> rounds) {
        return String.format(
                Locale.ROOT,
                "with %d requests in flight, %d rounds gave %.0f to %.0f/s: throughput varies"
                        + " more by itself than with the load",
                rounds.getKey(),
                rounds.getValue().getCount(),
                rounds.getValue().getMin(),
                rounds.getValue().getMax());
    }

    /// Returns the range of a figure from the lowest second to the highest, among seconds with
    /// answers.
    private static String seconds(List<Round> rounds, ToDoubleFunction<Slice> figure) {
        DoubleSummaryStatistics all =
                rounds.stream()
                        .flatMap(r -> r.slices().stream())
                        .filter(s -> s.qps() > 0)
                        .mapToDouble(figure)
                        .summaryStatistics();
        return all.getCount() == 0
                ? "of single rounds"
                : number(all.getMin()) + " to " + number(all.getMax());
    }
}
