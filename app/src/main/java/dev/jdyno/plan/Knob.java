package dev.jdyno.plan;

import dev.jdyno.measure.verdict.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// A setting of the service's own that `jdyno tune` may change, and what it may become.
///
/// @param name what the report calls it
/// @param where how a value reaches the service
public record Knob(String name, Values values, Place where) {
    /// What it may be set to.
    public sealed interface Values {
        /// @param all the first is what the service has now
        record Listed(List<String> all) implements Values {
            public Listed {
                all = List.copyOf(all);
            }
        }

        /// Whole numbers; what the service has now is not known.
        record Range(long from, long to) implements Values {}
    }

    /// How a value reaches the service; `{}` in a template stands for it.
    public sealed interface Place {
        /// An argument of the JVM, such as `-XX:MaxInlineSize={}`.
        record Flag(String template) implements Place {}

        /// A system property, such as `server.tomcat.threads.max={}`.
        record Property(String name, String template) implements Place {}

        /// A variable of the environment.
        record Variable(String name, String template) implements Place {}

        /// An argument of the program.
        record Argument(String template) implements Place {}

        /// `{name}` in a copy of a file, whose path stands in the launch command for `{file}`.
        record Template(String file) implements Place {}
    }

    /// The values to try first: all of a list, but for the one it has now; of a range its ends and
    /// their geometric mean.
    public List<String> first() {
        return switch (values) {
            case Values.Listed(List<String> all) -> all.subList(1, all.size());
            case Values.Range(long from, long to) -> texts(List.of(from, between(from, to), to));
        };
    }

    /// The values to try beside one that helped: half way to what was tried next to it.
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

    /// What stands in a launch command for the copy of a template: `{app.yaml.tmpl}`.
    ///
    /// @param file its path
    public static String place(String file) {
        return "{" + file.substring(file.lastIndexOf('/') + 1) + "}";
    }

    /// The change that sets it.
    public Change.Launch to(String value) {
        return switch (where) {
            case Place.Flag(String template) ->
                    Change.jvmArgument(template.replace(Change.HOLE, value));
            case Place.Property(String key, String template) ->
                    new Change.SystemProperty(key, template.replace(Change.HOLE, value));
            case Place.Variable(String key, String template) ->
                    new Change.EnvironmentVariable(key, template.replace(Change.HOLE, value));
            case Place.Argument(String template) -> new Change.ProgramArgument(template, value);
            case Place.Template(String file) -> new Change.FileValue(file, name, value);
        };
    }
}
