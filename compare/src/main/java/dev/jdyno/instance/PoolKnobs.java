package dev.jdyno.instance;

import dev.jdyno.compare.Additions;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The knobs of a plan that set the sizes of pools.
///
/// A knob belongs to a pool if it sets the property of the pool's size, or if it has the name of
/// the pool or of its library.
final class PoolKnobs {
    private final List<Knob> knobs;

    PoolKnobs(List<Knob> knobs) {
        // the file of a template is only written by `jdyno tune`
        this.knobs = knobs.stream().filter(k -> k.where().copied().isEmpty()).toList();
    }

    /// @param property property of the framework that sets its size
    Optional<Knob> of(PoolDemand pool, Optional<String> property) {
        return knobs.stream()
                .filter(k ->
                        property.filter(p -> sets(k.where(), p)).isPresent()
                                || k.name().equalsIgnoreCase(pool.pool())
                                || k.name().equalsIgnoreCase(pool.library()))
                .findFirst();
    }

    private static boolean sets(Place place, String property) {
        return switch (place) {
            case Place.Property p -> p.property().equals(property);
            case Place.Flag f -> f.template().startsWith("-D" + property + "=");
            case Place.Argument a -> a.template().startsWith("--" + property + "=");
            case Place.Variable v ->
                    v.variable()
                            .equals(
                                    property.toUpperCase(Locale.ROOT)
                                            .replace('.', '_')
                                            .replace("-", ""));
            case Place.Template _ -> false;
        };
    }

    /// Returns the smallest number of places that a knob has and that is not below a number; empty
    /// if all are below it, or above {@link PoolNeed#MAX_PLACES}.
    static Optional<Integer> atLeast(Knob knob, int places) {
        return numbers(knob, places).min(Integer::compare);
    }

    /// Returns the largest number of places that a knob has below a number.
    static Optional<Integer> below(Knob knob, int places) {
        return switch (knob.values()) {
            case Knob.Values.Range(long from, long to) ->
                    places - 1 >= from && places - 1 >= 1
                            ? Optional.of((int) Math.min(places - 1, to))
                            : Optional.empty();
            case Knob.Values.Listed(List<String> all) ->
                    listed(all).filter(n -> n < places).max(Integer::compare);
        };
    }

    private static Stream<Integer> numbers(Knob knob, int least) {
        return switch (knob.values()) {
            case Knob.Values.Range(long from, long to) ->
                    Stream.of(Math.max(from, least))
                            .filter(n -> n <= Math.min(to, PoolNeed.MAX_PLACES))
                            .map(Math::toIntExact);
            case Knob.Values.Listed(List<String> all) -> listed(all).filter(n -> n >= least);
        };
    }

    private static Stream<Integer> listed(List<String> values) {
        return values.stream()
                .filter(v -> v.matches("\\d{1,6}"))
                .map(Integer::valueOf)
                .filter(n -> n > 0 && n <= PoolNeed.MAX_PLACES);
    }

    /// The additions to the launch command that set the sizes.
    ///
    /// @param flags further JVM flags
    /// @param changes values of knobs
    static Additions additions(List<String> flags, List<Change.Launch> changes) {
        List<String> all = new ArrayList<>(flags);
        Map<String, String> environment = new LinkedHashMap<>();
        List<Change.ProgramArgument> arguments = new ArrayList<>();
        for (Change.Launch change : changes) {
            switch (change) {
                case Change.JvmFlag c -> all.add(c.argument());
                case Change.SystemProperty c -> all.add("-D" + c.name() + "=" + c.value());
                case Change.EnvironmentVariable c -> environment.put(c.name(), c.value());
                case Change.ProgramArgument c -> arguments.add(c);
                case Change.WithoutJvmFlag _, Change.FileValue _, Change.LoggingEdit _ ->
                        throw new IllegalArgumentException("no size of a pool: " + change.id());
            }
        }
        return new Additions(all, List.of(), environment, arguments, Map.of());
    }
}
