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

/// What a launch command gets in addition.
///
/// @param flags of the JVM
/// @param without flags of the JVM that are left out of the command
/// @param environment by name
/// @param arguments of the program
/// @param places texts of the command that stand for others, such as `{app.yaml.tmpl}` for a path
public record Additions(
        List<String> flags,
        List<String> without,
        Map<String, String> environment,
        List<Change.ProgramArgument> arguments,
        Map<String, String> places) {
    public static final Additions NONE = ofFlags(List.of());

    /// What stands for added arguments in a launch command; they go to its end where it is missing.
    public static final String ARGUMENTS = "{args}";

    /// `java …`, `/usr/bin/java …`, `exec java …`, up to what is to be run: of two flags of one
    /// name the JVM takes the last.
    private static final Pattern JAVA =
            Pattern.compile(
                    "^\\s*(?:exec\\s+)?(?:[^\\s'\"]*/)?java\\s"
                            + "(?:[^;|&'\"]*?\\s(?=(?:-jar|-cp|-classpath|--class-path|-m|--module)\\s))?");

    /// A flag of the JVM, with the blanks behind it.
    private static final Pattern FLAG = Pattern.compile("(?<=\\s)(-[XD]\\S+)\\s+");

    /// One word of a shell's command line.
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

    /// The command with all of them, for a shell.
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

    /// In the place of the same argument, or behind all others.
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

    /// The flags that a command gives its JVM, with these behind them; of a script these alone.
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

    /// The JVM takes the last of two flags of one name: the first would only mislead readers.
    private String withoutOverridden(String java) {
        Set<String> names = flags.stream().map(FlagName::of).collect(Collectors.toSet());
        return FLAG.matcher(java)
                .replaceAll(m -> names.contains(FlagName.of(m.group(1))) ? "" : "$0");
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
