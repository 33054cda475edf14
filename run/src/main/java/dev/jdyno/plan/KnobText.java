package dev.jdyno.plan;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.plan.Knob.Place;
import dev.jdyno.plan.Knob.PlaceKind;
import dev.jdyno.plan.Knob.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Knobs as a plan has them: `knobs: [{name: cache, values: [off, 10s], env: 'CACHE_TTL={}'}]`.
final class KnobText {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][\\w-]{0,40}");
    private static final String KEYS =
            Stream.of(PlaceKind.values()).map(PlaceKind::key).collect(Collectors.joining(", "));

    private KnobText() {}

    static List<Knob> read(YamlMap top, Path folder, Plan.TargetPlan target) {
        List<YamlMap> maps = top.maps("knobs");
        List<Knob> knobs = new ArrayList<>();
        Map<String, String> owners = new HashMap<>();
        for (YamlMap map : maps) {
            Optional<Knob> knob = one(map, folder, target);
            map.close();
            if (knob.isEmpty()) {
                continue;
            }
            Knob k = knob.get();
            String earlier = owners.putIfAbsent("name " + k.name(), k.name());
            if (earlier == null) {
                earlier = owners.putIfAbsent(k.where().sets(k.name()), k.name());
            }
            if (earlier != null) {
                map.problem(
                        "name",
                        k.name() + " contradicts the knob " + earlier + ": both set the same",
                        "keep one of them, with the values of both");
            } else {
                knobs.add(k);
            }
        }
        if (!maps.isEmpty() && !(target instanceof Plan.TargetPlan.Launch)) {
            top.problem(
                    "knobs",
                    "a service that runs already is not started with other settings",
                    "write target: {launch: \"java ...\"}");
        }
        return knobs;
    }

    private static Optional<Knob> one(YamlMap map, Path folder, Plan.TargetPlan target) {
        Optional<String> name =
                map.value("name", KnobText::name, "write a word, such as name: cache");
        if (!map.has("name")) {
            map.problem("name", "missing", "add name: cache");
        }
        Optional<Values> values = values(map);
        Optional<Place> place = place(map, folder, name.orElse(""), target);
        return name.isPresent() && values.isPresent() && place.isPresent()
                ? Optional.of(new Knob(name.get(), values.get(), place.get()))
                : Optional.empty();
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no plain word");
        }
        return text;
    }

    private static Optional<Values> values(YamlMap map) {
        List<String> listed =
                map.values("values", Function.identity(), "write [now, other]").stream()
                        .distinct()
                        .toList();
        Optional<Values> range = map.value("range", KnobText::range, "write 8..256");
        if (map.has("values") == map.has("range")) {
            map.problem(
                    "values",
                    map.has("range") ? "both values and range are given" : "missing",
                    "write values: [now, other] or range: 8..256");
            return Optional.empty();
        }
        if (map.has("values") && listed.size() < 2) {
            map.problem(
                    "values",
                    "fewer than two different values",
                    "write what the service has now first, then what to try");
            return Optional.empty();
        }
        return map.has("values") ? Optional.of(new Values.Listed(listed)) : range;
    }

    private static Values range(String text) {
        Matcher m = RANGE.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no range of whole numbers");
        }
        long from = Long.parseLong(m.group(1));
        long to = Long.parseLong(m.group(2));
        if (from < 1 || from >= to) {
            throw new IllegalArgumentException("'" + text + "' does not rise from at least 1");
        }
        return new Values.Range(from, to);
    }

    private static Optional<Place> place(
            YamlMap map, Path folder, String name, Plan.TargetPlan target) {
        var around = new Knob.Surroundings(name, folder, target);
        List<String> given = new ArrayList<>();
        Optional<Place> place = Optional.empty();
        for (PlaceKind kind : PlaceKind.values()) {
            if (map.has(kind.key())) {
                given.add(kind.key());
            }
            Optional<Place> read =
                    map.value(kind.key(), t -> kind.read(t, around), kind.example(name));
            place = place.or(() -> read);
        }
        if (given.size() != 1) {
            map.problem(
                    given.isEmpty() ? "name" : given.get(1),
                    given.isEmpty()
                            ? "nothing says where its value goes"
                            : "more than one of " + String.join(", ", given) + " is given",
                    "write one of " + KEYS);
            return Optional.empty();
        }
        return place;
    }

    static void write(PlanPen pen, List<Knob> knobs) {
        if (knobs.isEmpty()) {
            return;
        }
        pen.raw("knobs:\n");
        for (Knob knob : knobs) {
            pen.raw(
                    "  - {name: "
                            + pen.text("", knob.name())
                            + ", "
                            + (switch (knob.values()) {
                                case Values.Listed(List<String> all) ->
                                        "values: "
                                                + all.stream()
                                                        .map(v ->
                                                                pen.text(
                                                                        "knobs.values[]",
                                                                        v,
                                                                        Secrets::text))
                                                        .collect(
                                                                Collectors.joining(", ", "[", "]"));
                                case Values.Range(long from, long to) ->
                                        "range: " + from + ".." + to;
                            })
                            + ", "
                            + knob.where().kind().key()
                            + ": "
                            + pen.text("", knob.where().text())
                            + "}\n");
        }
    }
}
