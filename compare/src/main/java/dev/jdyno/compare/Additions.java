package dev.jdyno.compare;

import dev.jdyno.measure.verdict.Change;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The additions to a launch command.
///
/// @param flags JVM flags to add
/// @param without JVM flags to remove from the command
/// @param environment environment variables to set, by name
/// @param arguments program arguments to add
/// @param places replacements in the command: the value replaces the key, such as a path for
///   `{app.yaml.tmpl}`
public record Additions(
        List<String> flags,
        List<String> without,
        Map<String, String> environment,
        List<Change.ProgramArgument> arguments,
        Map<String, String> places) {
    public static final Additions NONE = ofFlags(List.of());

    /// Placeholder for added arguments in a launch command. Without it, they go to the end.
    public static final String ARGUMENTS = "{args}";

    /// The start of a command that runs `java`, up to `-jar`, the class path or the module. Flags
    /// are added at its end, because the JVM takes the last of two flags of one name.
    private static final Pattern JAVA =
            Pattern.compile(
                    "^\\s*(?:exec\\s+)?(?:[^\\s'\"]*/)?java\\s"
                            + "(?:[^;|&'\"]*?\\s(?=(?:-jar|-cp|-classpath|--class-path|-m|--module)\\s))?");

    /// A JVM flag and the spaces after it.
    private static final Pattern FLAG = Pattern.compile("(?<=\\s)(-[XD]\\S+)\\s+");

    /// One word of a shell command line.
    private static final String WORD = "(?:'[^']*'|\"[^\"]*\"|\\S*)";

    public Additions {
        flags = List.copyOf(flags);
        without = List.copyOf(without);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        arguments = List.copyOf(arguments);
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
    }

    public static Additions ofFlags(List<String> flags) {
        return new Additions(flags, List.of(), Map.of(), List.of(), Map.of());
    }

    /// Returns the command with all additions, for a shell.
    public String in(String command) {
        String changed = command;
        for (Map.Entry<String, String> place : places.entrySet()) {
            changed = changed.replace(place.getKey(), quoted(place.getValue()));
        }
        for (String flag : without) {
            changed = changed.replaceAll("(?<=\\s)" + Pattern.quote(flag) + "\\s", "");
        }
        for (Change.ProgramArgument argument : arguments) {
            changed = withArgument(changed, argument);
        }
        return exports() + withFlags(changed.replace(" " + ARGUMENTS, "").replace(ARGUMENTS, ""));
    }

    private String exports() {
        return environment.entrySet().stream()
                .map(e -> "export " + e.getKey() + "=" + quoted(e.getValue()) + "; ")
                .collect(Collectors.joining());
    }

    /// Replaces the same argument if the command has it; otherwise adds it at the end.
    private static String withArgument(String command, Change.ProgramArgument argument) {
        String words =
                Stream.of(argument.template().split(" "))
                        .map(w -> quoted(w.replace(Change.HOLE, argument.value())))
                        .collect(Collectors.joining(" "));
        Matcher same =
                Pattern.compile(
                                "(?<=\\s)"
                                        + Stream.of(
                                                        argument.template()
                                                                .split(
                                                                        Pattern.quote(Change.HOLE),
                                                                        -1))
                                                .map(Pattern::quote)
                                                .collect(Collectors.joining(WORD)))
                        .matcher(command);
        if (same.find()) {
            return same.replaceAll(Matcher.quoteReplacement(words));
        }
        return command.contains(ARGUMENTS)
                ? command.replace(ARGUMENTS, words + " " + ARGUMENTS)
                : command + " " + words;
    }

    /// Returns the flags that the command gives its JVM, then the added ones. For a script, only
    /// the added ones are known.
    String flagsOf(String command) {
        Matcher java = JAVA.matcher(command);
        return (java.find() ? java.group() : "") + " " + String.join(" ", flags);
    }

    private String withFlags(String command) {
        if (flags.isEmpty()) {
            return command;
        }
        Matcher java = JAVA.matcher(command);
        String all = flags.stream().map(Additions::quoted).collect(Collectors.joining(" "));
        return java.find()
                ? withoutOverridden(java.group()) + all + " " + command.substring(java.end())
                : "export JDK_JAVA_OPTIONS=\"$JDK_JAVA_OPTIONS \""
                        + quoted(String.join(" ", flags))
                        + "; "
                        + command;
    }

    /// Removes flags that an added flag overrides, so that readers of the command are not misled.
    private String withoutOverridden(String java) {
        Set<String> names = flags.stream().map(FlagName::of).collect(Collectors.toSet());
        return FLAG.matcher(java)
                .replaceAll(m -> names.contains(FlagName.of(m.group(1))) ? "" : "$0");
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
