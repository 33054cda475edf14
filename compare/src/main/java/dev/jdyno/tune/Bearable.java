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

/// Under which load candidates are compared: it saturates the service as it is, and as it could be
/// with the largest of them. At the load that saturates a pool of 5 one of 13 and one of 60 look
/// alike. Pure.
///
/// @param asked the most requests in flight that the plan asks for; 0 where it leaves that to the
///   search
record Bearable(Plan plan, int asked) {
    /// Times the knee that saturates the service.
    static final double BEYOND_KNEE = 2;

    static Bearable of(Plan plan) {
        return new Bearable(
                plan,
                plan.rounds().concurrency().stream().mapToInt(Integer::intValue).max().orElse(0));
    }

    /// The load of the confirmation: above the knees of both, and not far beyond that of the
    /// smaller.
    ///
    /// @param compared the largest load of the comparisons so far
    int confirming(double before, double after, double compared) {
        double beyond = BEYOND_KNEE * Math.min(before, after);
        return saturating(Math.max(Math.max(beyond, Math.max(before, after)), compared));
    }

    /// At least the most that the plan asks for: what the service must bear, it is compared under.
    int saturating(double inFlight) {
        return Math.max(Math.max(2, asked), (int) Math.ceil(inFlight));
    }

    /// Requests in flight.
    ///
    /// @param knee of the service as it is
    /// @param least that saturate it
    /// @param tried values of knobs that were tried, by the knob's name
    int inFlight(
            double knee,
            double least,
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
        double most = Math.min(BEYOND_KNEE * larger, plan.rounds().maxConcurrency());
        return saturating(Math.max(least, most));
    }

    /// Requests in flight at which the CPU would be the limit: what its cores complete in the time
    /// that a request takes by itself. Empty if the CPU time of a request was not seen.
    static OptionalDouble cpuKnee(Recording recording) {
        Optional<Round> alone =
                recording.rounds().stream()
                        .filter(r -> r.requests() > 0)
                        .min(Comparator.comparingInt(Round::concurrency));
        Optional<Double> cpuMs =
                recording
                        .ofMostThroughput()
                        .flatMap(r -> RequestCpu.ms(r, recording.census()))
                        .filter(ms -> ms > 0);
        return alone.isPresent() && cpuMs.isPresent()
                ? OptionalDouble.of(
                        recording.target().cores() / cpuMs.get() * alone.get().rtMs().mean())
                : OptionalDouble.empty();
    }

    /// How much larger a candidate makes a knob; empty if it sets none, or none with numbers.
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
