package dev.jdyno.tune;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RequestCpu;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/// Chooses the load at which candidates are compared. It saturates the present service and also the
/// service with the largest candidate. A load that only saturates a pool of 5 would show no
/// difference between pools of 13 and 60. Pure.
///
/// @param asked the highest concurrency in the plan; 0 if the plan leaves it to the search
record Bearable(Plan plan, int asked) {
    /// Multiple of the knee that saturates the service.
    static final double BEYOND_KNEE = 2;

    static Bearable of(Plan plan) {
        return new Bearable(
                plan,
                plan.rounds().concurrency().stream().mapToInt(Integer::intValue).max().orElse(0));
    }

    /// The concurrency of the confirmation: above the knees of both variants, and not far beyond
    /// the smaller one.
    ///
    /// @param compared the highest concurrency of the comparisons so far
    int confirming(double before, double after, double compared) {
        double beyond = BEYOND_KNEE * Math.min(before, after);
        return saturating(Math.max(Math.max(beyond, Math.max(before, after)), compared));
    }

    /// Returns at least the plan's highest concurrency, because the service must handle that load.
    int saturating(double inFlight) {
        return Math.max(Math.max(2, asked), (int) Math.ceil(inFlight));
    }

    /// Returns the concurrency for a batch of candidates.
    ///
    /// @param knee knee of the present service
    /// @param min lowest concurrency that saturates the service
    /// @param tried knob values that were tried, by the knob's name
    int inFlight(
            double knee,
            double min,
            Recording recording,
            List<Candidate> batch,
            List<Change.Launch> incumbent,
            Map<String, Set<String>> tried) {
        double times =
                batch.stream()
                        .flatMap(c -> times(c, incumbent, tried).stream())
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1);
        double larger = Math.min(knee * times, cpuKnee(recording).orElse(knee));
        double max = Math.min(BEYOND_KNEE * larger, plan.rounds().maxConcurrency());
        return saturating(Math.max(min, max));
    }

    /// The concurrency at which the CPU would become the limit: the requests that its cores
    /// complete during the response time of a single request. Empty if the CPU time of a request is
    /// unknown.
    static OptionalDouble cpuKnee(Recording recording) {
        Optional<Round> alone =
                recording.rounds().stream()
                        .filter(r -> r.requests() > 0)
                        .min(Comparator.comparingInt(Round::concurrency));
        Optional<Double> cpuMs =
                recording
                        .atPeakThroughput()
                        .flatMap(r -> RequestCpu.ms(r, recording.census()))
                        .filter(ms -> ms > 0);
        return alone.isPresent() && cpuMs.isPresent()
                ? OptionalDouble.of(
                        recording.target().cores() / cpuMs.get() * alone.get().rtMs().mean())
                : OptionalDouble.empty();
    }

    /// Factor by which a candidate raises a knob; empty if it sets no knob with a numeric value.
    private Optional<Double> times(
            Candidate candidate, List<Change.Launch> incumbent, Map<String, Set<String>> tried) {
        if (candidate.knobValue().isEmpty()) {
            return Optional.empty();
        }
        Candidate.KnobValue value = candidate.knobValue().get();
        return plan.knobs().stream()
                .filter(k -> k.name().equals(value.knob()))
                .findFirst()
                .flatMap(k ->
                        now(k, incumbent, tried.getOrDefault(k.name(), Set.of()))
                                .flatMap(Bearable::number))
                .filter(n -> n > 0)
                .flatMap(n -> number(value.value()).map(to -> to / n));
    }

    /// The value that a knob has in the incumbent.
    private static Optional<String> now(
            Knob knob, List<Change.Launch> incumbent, Set<String> tried) {
        Stream<String> listed =
                knob.values() instanceof Knob.Values.Listed(List<String> all)
                        ? all.stream().limit(1)
                        : Stream.of();
        return Stream.concat(tried.stream().filter(v -> incumbent.contains(knob.to(v))), listed)
                .findFirst();
    }

    private static Optional<Double> number(String text) {
        return text.matches("[0-9]{1,9}([.][0-9]{1,9})?")
                ? Optional.of(Double.parseDouble(text))
                : Optional.empty();
    }
}
