package dev.jdyno.plan;

import dev.jdyno.measure.verdict.Change;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A setting of the service that `jdyno tune` may change, and its possible values.
///
/// @param name for the report
/// @param where how a value reaches the service
public record Knob(String name, Values values, Place where) {
    /// The possible values.
    public sealed interface Values {
        /// @param all possible values, the current one first
        record Listed(List<String> all) implements Values {
            public Listed {
                all = List.copyOf(all);
            }
        }

        /// Whole numbers; the current value is unknown.
        record Range(long from, long to) implements Values {}
    }

    /// The way in which a value is passed to the service; `{}` in a template stands for the value.
    /// {@link PlaceKind} parses it.
    public sealed interface Place {
        /// An argument of the JVM, such as `-XX:MaxInlineSize={}`.
        record Flag(String template) implements Place {}

        /// A system property, such as `server.tomcat.threads.max={}`.
        record Property(String property, String template) implements Place {}

        /// An environment variable.
        record Variable(String variable, String template) implements Place {}

        /// An argument of the program.
        record Argument(String template) implements Place {}

        /// A placeholder `{name}` in a template file. jdyno writes a copy with the value in it. The
        /// path of the copy replaces the placeholder of {@link Knob#place} in the launch command.
        record Template(String file) implements Place {}

        /// The key of this kind of place in a plan.
        default PlaceKind kind() {
            return switch (this) {
                case Flag _ -> PlaceKind.FLAG;
                case Property _ -> PlaceKind.PROPERTY;
                case Variable _ -> PlaceKind.ENV;
                case Argument _ -> PlaceKind.ARG;
                case Template _ -> PlaceKind.FILE;
            };
        }

        /// The text of this place in a plan, under that key.
        default String text() {
            return switch (this) {
                case Flag(String template) -> template;
                case Property(String property, String template) -> property + "=" + template;
                case Variable(String variable, String template) -> variable + "=" + template;
                case Argument(String template) -> template;
                case Template(String file) -> file;
            };
        }

        /// The template file; empty for the other kinds of places. The launch command contains a
        /// placeholder for its copy ({@link Knob#place}), so it cannot be run before the copy is
        /// written.
        default Optional<String> copied() {
            return switch (this) {
                case Flag _, Property _, Variable _, Argument _ -> Optional.empty();
                case Template(String file) -> Optional.of(file);
            };
        }

        /// Identifies the flag, property, variable, argument or placeholder that this place sets. A
        /// plan is refused if two of its knobs have the same one.
        ///
        /// @param name of the knob
        default String sets(String name) {
            return switch (this) {
                case Flag(String template) ->
                        template.equals(Change.HOLE)
                                ? "flags of " + name
                                : "flag " + template.replaceFirst("^-XX:[+-]", "-XX:");
                case Property(String property, _) -> "property " + property;
                case Variable(String variable, _) -> "env " + variable;
                case Argument(String template) -> "arg " + template;
                case Template(String file) -> "file " + file + " " + name;
            };
        }

        /// The change that sets the value.
        ///
        /// @param name of the knob
        default Change.Launch to(String name, String value) {
            return switch (this) {
                case Flag(String template) ->
                        Change.jvmArgument(template.replace(Change.HOLE, value));
                case Property(String property, String template) ->
                        new Change.SystemProperty(property, template.replace(Change.HOLE, value));
                case Variable(String variable, String template) ->
                        new Change.EnvironmentVariable(
                                variable, template.replace(Change.HOLE, value));
                case Argument(String template) -> new Change.ProgramArgument(template, value);
                case Template(String file) -> new Change.FileValue(file, name, value);
            };
        }
    }

    /// The keys of a plan that define where a value goes.
    public enum PlaceKind {
        FLAG("flag", "write '-XX:MaxInlineSize={}'") {
            @Override
            Place read(String text, Surroundings of) {
                return new Place.Flag(hole(text));
            }
        },
        PROPERTY("property", "write 'server.tomcat.threads.max={}'") {
            @Override
            Place read(String text, Surroundings of) {
                Matcher m = assignment(text);
                return new Place.Property(m.group(1), m.group(2));
            }
        },
        ENV("env", "write 'CACHE_TTL={}'") {
            @Override
            Place read(String text, Surroundings of) {
                Matcher m = assignment(text);
                if (!m.group(1).matches("[A-Za-z_]\\w*")) {
                    throw new IllegalArgumentException(
                            "'" + m.group(1) + "' is no name of a variable");
                }
                return new Place.Variable(m.group(1), m.group(2));
            }
        },
        ARG("arg", "write '--server={}'") {
            @Override
            Place read(String text, Surroundings of) {
                return new Place.Argument(hole(text));
            }
        },
        FILE("file", "write the path of a file that has {name} in it") {
            @Override
            Place read(String text, Surroundings of) {
                return of.template(text);
            }
        };

        private static final Pattern ASSIGNMENT = Pattern.compile("([^={}\\s]+)=(.*)");

        private final String key;
        private final String example;

        PlaceKind(String key, String example) {
            this.key = key;
            this.example = example;
        }

        String key() {
            return key;
        }

        /// An example of the correct form.
        ///
        /// @param name of the knob
        String example(String name) {
            return example.replace("{name}", "{" + name + "}");
        }

        /// @throws IllegalArgumentException if the text is not a valid place
        abstract Place read(String text, Surroundings of);

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
    }

    /// The plan around a knob while it is parsed.
    ///
    /// @param name of the knob; empty if it is missing
    /// @param folder of the plan
    record Surroundings(String name, Path folder, Plan.TargetPlan target) {
        private Place template(String text) {
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
    }

    /// The values to try first: of a list, all except the current one; of a range, its ends and
    /// their geometric mean.
    public List<String> first() {
        return switch (values) {
            case Values.Listed(List<String> all) -> all.subList(1, all.size());
            case Values.Range(long from, long to) -> texts(List.of(from, between(from, to), to));
        };
    }

    /// The values to try after a value that helped: the geometric means between that value and its
    /// neighbours among the values tried.
    public List<String> near(String best, List<String> tried) {
        if (!(values instanceof Values.Range)) {
            return List.of();
        }
        long at = Long.parseLong(best);
        TreeSet<Long> known = new TreeSet<>(tried.stream().map(Long::parseLong).toList());
        List<Long> next = new ArrayList<>();
        Long below = known.lower(at);
        Long above = known.higher(at);
        if (below != null) {
            next.add(between(below, at));
        }
        if (above != null) {
            next.add(between(at, above));
        }
        return texts(next.stream().filter(v -> !known.contains(v) && v != at).toList());
    }

    private static List<String> texts(List<Long> values) {
        return values.stream().distinct().map(v -> Long.toString(v)).toList();
    }

    private static long between(long from, long to) {
        return Math.round(Math.sqrt((double) from * to));
    }

    /// The placeholder in a launch command for the copy of a template: `{app.yaml.tmpl}`.
    ///
    /// @param file path of the file
    public static String place(String file) {
        return "{" + file.substring(file.lastIndexOf('/') + 1) + "}";
    }

    /// The change that sets the value.
    public Change.Launch to(String value) {
        return where.to(name, value);
    }
}
