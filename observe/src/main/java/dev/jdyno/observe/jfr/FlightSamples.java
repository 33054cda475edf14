package dev.jdyno.observe.jfr;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;

/// The samples of running threads in a flight recording: the places where they ran, and whether
/// that code was compiled. Only samples of one kind are used, because another recording in the same
/// JVM may have requested the other kind as well. CPU-time samples have precedence.
public final class FlightSamples {
    /// Minimum number of samples for places. The dumps of one diagnostic window give as many, but
    /// at biased places. With this number of samples a share of 0.3 has an error of ± 0.16.
    private static final int FOR_PLACES = 30;

    /// Minimum number of samples for a share: with this number a true share of 0.2 is measured as
    /// less than 0.4 in 95 % of all cases.
    private static final int FOR_SHARES = 20;

    /// Minimum share of the samples of Java code taken at a safepoint for it to be reported.
    private static final double BIASED_FROM = 0.05;

    /// @param pool the thread's pool
    /// @param atWork whether its stack shows a request or a task; the bottom of a deep stack is
    ///   missing
    /// @param place place of its work; empty if the work was not the application's (it wrote a log
    ///   line)
    /// @param interpreted the method on top of the stack if it was interpreted; empty if it was
    ///   compiled
    private record Sampled(
            ThreadSample of,
            String pool,
            boolean atWork,
            Optional<Place> place,
            Optional<String> interpreted) {}

    private record Lost(Instant at, long samples) {}

    private record Stack(String thread, List<String> frames) {}

    private final StackClassifier classifier;
    private final Map<SampleKind, List<Sampled>> samples = new EnumMap<>(SampleKind.class);
    private final List<Lost> lost = new ArrayList<>();
    // there are thousands of samples, but only a few different stacks
    private final Map<Stack, Classified> known = new HashMap<>();

    FlightSamples(StackClassifier classifier) {
        this.classifier = classifier;
    }

    void add(SampleKind kind, RecordedEvent event) {
        ThreadSample.of(kind, event)
                .ifPresent(
                        s -> samples.computeIfAbsent(kind, _ -> new ArrayList<>()).add(sampled(s)));
    }

    void addLost(RecordedEvent event) {
        lost.add(new Lost(event.getStartTime(), event.getLong("lostSamples")));
    }

    private Sampled sampled(ThreadSample sample) {
        if (sample.failed()) {
            return new Sampled(
                    sample,
                    PoolName.of(sample.thread()),
                    false,
                    Optional.empty(),
                    Optional.empty());
        }
        Classified found =
                known.computeIfAbsent(
                        new Stack(sample.thread(), sample.frames()),
                        s ->
                                classifier.classify(
                                        FlightStack.thread(
                                                s.thread(),
                                                ThreadDump.State.RUNNABLE,
                                                s.frames())));
        return new Sampled(
                sample,
                PoolName.of(sample.thread()),
                found.isAtWork(),
                found.doing().filter(d -> d.cause() == Cause.CPU).map(ThreadActivity::place),
                sample.top() == ThreadSample.Top.INTERPRETED
                        ? FlightStack.caller(sample.frames())
                        : Optional.empty());
    }

    private SampleKind kind() {
        return samples.containsKey(SampleKind.CPU_TIME)
                ? SampleKind.CPU_TIME
                : SampleKind.EXECUTION;
    }

    private List<Sampled> between(Instant from, Instant to) {
        return samples.getOrDefault(kind(), List.of()).stream()
                .filter(s -> !s.of().at().isBefore(from) && s.of().at().isBefore(to))
                .toList();
    }

    /// Returns at which places in the code the working threads used the CPU; empty when there are
    /// too few samples.
    Optional<Places> places(Instant from, Instant to, Set<String> pools) {
        List<Sampled> then = between(from, to);
        Map<Place, Double> weights = new HashMap<>();
        long count = 0;
        for (Sampled s : then) {
            if (s.place().isPresent() && (s.atWork() || pools.contains(s.pool()))) {
                weights.merge(s.place().get(), s.of().weight(), Double::sum);
                count++;
            }
        }
        if (count < FOR_PLACES) {
            return Optional.empty();
        }
        double all = weights.values().stream().mapToDouble(w -> w).sum();
        Map<Place, Double> shares = new HashMap<>();
        weights.entrySet().stream()
                .sorted(Map.Entry.<Place, Double>comparingByValue().reversed())
                .forEach(place ->
                        shares.merge(
                                shares.size() < ThreadSamples.CPU_PLACES
                                        ? place.getKey()
                                        : new Place.Common(Place.Activity.ELSEWHERE),
                                place.getValue() / all,
                                Double::sum));
        return Optional.of(new Places(shares, quality(then, count, from, to)));
    }

    /// The kind and number of the samples, and how many of them are lost, without a stack or taken
    /// at a safepoint.
    private Signals quality(List<Sampled> then, long count, Instant from, Instant to) {
        Map<Sign, Double> values = new EnumMap<>(Sign.class);
        values.put(Sign.CPU_SAMPLES, (double) count);
        List<String> says = new ArrayList<>(List.of(kind().event()));
        if (kind() == SampleKind.CPU_TIME) {
            long gone =
                    lost.stream()
                            .filter(l -> !l.at().isBefore(from) && l.at().isBefore(to))
                            .mapToLong(Lost::samples)
                            .sum();
            values.put(Sign.CPU_SAMPLES_LOST, (double) gone);
            says.add(gone + " lost");
            says.add(then.stream().filter(s -> s.of().failed()).count() + " without a stack");
            long java = then.stream().filter(s -> s.of().inJava()).count();
            long biased = then.stream().filter(s -> s.of().inJava() && s.of().biased()).count();
            if (biased > BIASED_FROM * java) {
                says.add(biased + " of " + java + " in Java code at a safepoint");
            }
        }
        return new Signals(values, Map.of(Sign.CPU_SAMPLES, String.join(", ", says)));
    }

    /// Share of the running Java code that was not compiled; empty if there were too few samples.
    Optional<Signals> code(Instant from, Instant to) {
        List<Sampled> then = between(from, to).stream().filter(s -> s.of().inJava()).toList();
        if (then.size() < FOR_SHARES) {
            return Optional.empty();
        }
        Map<String, Double> methods =
                then.stream()
                        .filter(s -> s.interpreted().isPresent())
                        .collect(
                                Collectors.groupingBy(
                                        s -> s.interpreted().orElseThrow(),
                                        Collectors.summingDouble(s -> s.of().weight())));
        double interpreted = methods.values().stream().mapToDouble(n -> n).sum();
        double all = then.stream().mapToDouble(s -> s.of().weight()).sum();
        Map<Sign, String> place =
                methods.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(m -> Map.of(Sign.INTERPRETED_SHARE, m.getKey()))
                        .orElse(Map.of());
        return Optional.of(new Signals(Map.of(Sign.INTERPRETED_SHARE, interpreted / all), place));
    }

    /// The places in the code at which the working threads used the CPU.
    ///
    /// @param shares share of the CPU time at each place, named as in thread samples; they add up
    ///   to 1
    /// @param signals the kind and number of samples
    public record Places(Map<Place, Double> shares, Signals signals) {
        public Places {
            shares = Map.copyOf(shares);
        }
    }
}
