package dev.jdyno.target;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The variables of the user's environment that a process started by jdyno inherits.
///
/// Some variables affect every JVM: with `-XX:+UseG1GC` in one of them, a JVM with an option for
/// another collector does not start. The user means them for services. The launcher renames them,
/// so that jdyno's own JVM runs without them; a service gets them as the user set them.
///
/// Other variables are jdyno's own, and may be secret: the store's address and its password. A
/// service gets one of these only if its command line names it.
public final class Inherited {
    /// Renamed by the launcher with {@link #PREFIX}; its shell script has the same list.
    private static final List<String> OF_JVMS =
            List.of(
                    "JAVA_TOOL_OPTIONS",
                    "JDK_JAVA_OPTIONS",
                    "_JAVA_OPTIONS",
                    "CLASSPATH",
                    "_JAVA_LAUNCHER_DEBUG");

    /// The launcher sets it if the user's locale is not UTF-8. The renamed variable is empty if the
    /// user had not set it.
    private static final String LOCALE = "LC_ALL";

    private static final String PREFIX = "JDYNO_TARGET_";
    private static final String OURS = "JDYNO_";

    /// Other variables that jdyno reads and that may be secret.
    private static final List<String> SECRETS = List.of("PGPASSWORD");

    private Inherited() {}

    /// For a user's service: removes jdyno's own variables, and restores those that the launcher
    /// renamed.
    ///
    /// @param environment of the process to be started, a copy of jdyno's; changed
    /// @param command command of the process; a variable of jdyno's that the command names stays
    public static void byService(Map<String, String> environment, Collection<String> command) {
        restore(environment);
        withoutOurs(environment, command);
    }

    /// The value of one variable for a user's service; empty if it is not set.
    ///
    /// @param ours jdyno's own environment
    public static Optional<String> value(String name, Map<String, String> ours) {
        return Optional.ofNullable(OF_JVMS.contains(name) ? ours.get(PREFIX + name) : null)
                .or(() -> Optional.ofNullable(ours.get(name)));
    }

    /// For a server of jdyno's lab: removes jdyno's own variables, and those that affect JVMs,
    /// because each of its flags is part of an experiment.
    ///
    /// @param environment of the process to be started, a copy of jdyno's; changed
    public static void bySample(Map<String, String> environment) {
        withoutOurs(environment, List.of());
        OF_JVMS.forEach(environment::remove);
    }

    /// For another jdyno process that does a part of the work: the same environment as from the
    /// launcher.
    ///
    /// @param environment of the process to be started, a copy of jdyno's; changed
    public static void byJdyno(Map<String, String> environment) {
        for (String name : OF_JVMS) {
            String value = environment.remove(name);
            if (value != null) {
                environment.put(PREFIX + name, value);
            }
        }
    }

    /// The variables that the launcher renamed, in alphabetical order.
    public static Set<String> setAside(Map<String, String> environment) {
        Set<String> names = new TreeSet<>();
        OF_JVMS.stream().filter(n -> environment.containsKey(PREFIX + n)).forEach(names::add);
        return names;
    }

    private static void restore(Map<String, String> environment) {
        for (String name : OF_JVMS) {
            String value = environment.get(PREFIX + name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        String locale = environment.get(PREFIX + LOCALE);
        if (locale != null && locale.isEmpty()) {
            environment.remove(LOCALE);
        } else if (locale != null) {
            environment.put(LOCALE, locale);
        }
    }

    private static void withoutOurs(Map<String, String> environment, Collection<String> command) {
        environment.keySet().removeIf(name -> isOurs(name) && !isNamed(name, command));
    }

    private static boolean isOurs(String name) {
        return (name.startsWith(OURS) && !name.equals(LaunchMark.VARIABLE))
                || SECRETS.contains(name);
    }

    /// True if a command contains the name as a whole word: `PGPASSWORD=$PGPASSWORD java -jar
    /// app.jar`.
    private static boolean isNamed(String name, Collection<String> command) {
        Pattern word =
                Pattern.compile("(?<![A-Za-z0-9_])" + Pattern.quote(name) + "(?![A-Za-z0-9_])");
        return command.stream().anyMatch(part -> word.matcher(part).find());
    }
}
