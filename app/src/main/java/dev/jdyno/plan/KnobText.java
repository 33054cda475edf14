package dev.jdyno.plan;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob.Place;
import dev.jdyno.plan.Knob.Values;
import java.nio.file.Files;
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

/// Knobs as they stand in a plan: `knobs: [{name: cache, values: [off, 10s], env:
/// 'CACHE_TTL={}'}]`.
final class KnobText {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][\\w-]{0,40}");
    private static final Pattern ASSIGNMENT = Pattern.compile("([^={}\\s]+)=(.*)");

    /// Keys that say where a value goes.
    private static final List<String> PLACES = List.of("flag", "property", "env", "arg", "file");

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
                earlier = owners.putIfAbsent(sameFor(k), k.name());
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

    /// Two knobs with the same of this would overwrite each other.
    private static String sameFor(Knob knob) {
        return switch (knob.where()) {
            case Place.Flag(String template) ->
                    template.equals(Change.HOLE)
                            ? "flags of " + knob.name()
                            : "flag " + template.replaceFirst("^-XX:[+-]", "-XX:");
            case Place.Property(String name, String _) -> "property " + name;
            case Place.Variable(String name, String _) -> "env " + name;
            case Place.Argument(String template) -> "arg " + template;
            case Place.Template(String file) -> "file " + file + " " + knob.name();
        };
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
        List<String> given = PLACES.stream().filter(map::has).toList();
        Optional<Place> flag =
                map.value("flag", t -> new Place.Flag(hole(t)), "write '-XX:MaxInlineSize={}'");
        Optional<Place> property =
                map.value(
                        "property",
                        t -> {
                            Matcher m = assignment(t);
                            return new Place.Property(m.group(1), m.group(2));
                        },
                        "write 'server.tomcat.threads.max={}'");
        Optional<Place> variable =
                map.value(
                        "env",
                        t -> {
                            Matcher m = assignment(t);
                            if (!m.group(1).matches("[A-Za-z_]\\w*")) {
                                throw new IllegalArgumentException(
                                        "'" + m.group(1) + "' is no name of a variable");
                            }
                            return new Place.Variable(m.group(1), m.group(2));
                        },
                        "write 'CACHE_TTL={}'");
        Optional<Place> argument =
                map.value("arg", t -> new Place.Argument(hole(t)), "write '--server={}'");
        Optional<Place> file =
                map.value(
                        "file",
                        t -> template(t, folder, name, target),
                        "write the path of a file that has {" + name + "} in it");
        if (given.size() != 1) {
            map.problem(
                    given.isEmpty() ? "name" : given.get(1),
                    given.isEmpty()
                            ? "nothing says where its value goes"
                            : "more than one of " + String.join(", ", given) + " is given",
                    "write one of flag, property, env, arg, file");
            return Optional.empty();
        }
        return flag.or(() -> property).or(() -> variable).or(() -> argument).or(() -> file);
    }

    private static String hole(String text) {
        if (!text.contains(Change.HOLE)) {
            throw new IllegalArgumentException("'" + text + "' has no {} for the value");
        }
        return text;
    }

    private static Matcher assignment(String text) {
        Matcher m = ASSIGNMENT.matcher(hole(text));
        if (!m.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no NAME={}");
        }
        return m;
    }

    private static Place template(String text, Path folder, String name, Plan.TargetPlan target) {
        Path file = folder.resolve(text);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no file " + file);
        }
        String place = "{" + file.getFileName() + "}";
        if (!(target instanceof Plan.TargetPlan.Launch(String command))
                || !command.contains(place)) {
            throw new IllegalArgumentException(
                    "the launch command does not say " + place + " where the file's path goes");
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("it has no name that stands in " + text);
        }
        return new Place.Template(file.toString());
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
                            + place(pen, knob.where())
                            + "}\n");
        }
    }

    private static String place(PlanPen pen, Place place) {
        return switch (place) {
            case Place.Flag(String template) -> "flag: " + pen.text("", template);
            case Place.Property(String name, String template) ->
                    "property: " + pen.text("", name + "=" + template);
            case Place.Variable(String name, String template) ->
                    "env: " + pen.text("", name + "=" + template);
            case Place.Argument(String template) -> "arg: " + pen.text("", template);
            case Place.Template(String file) -> "file: " + pen.text("", file);
        };
    }
}
