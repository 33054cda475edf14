package dev.jdyno.target;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Which variables of the user's environment a process that we start inherits.
///
/// Some variables change every JVM: with `-XX:+UseG1GC` in one of them a JVM that asks for another
/// collector does not start. The user means them for services. The launcher renames them, so that
/// jdyno's own JVM runs without them; a service gets them as the user set them.
///
/// Other variables are jdyno's own, and may be secret: the store's address and its password. A
/// service gets one of these only where its command line names it.
public final class Inherited {
    /// Set aside by the launcher under a name with {@link #PREFIX}; it says the same in shell.
    private static final List<String> OF_JVMS =
            List.of(
                    "JAVA_TOOL_OPTIONS",
                    "JDK_JAVA_OPTIONS",
                    "_JAVA_OPTIONS",
                    "CLASSPATH",
                    "_JAVA_LAUNCHER_DEBUG");

    /// The launcher sets it where the user's locale is not UTF-8; empty where the user set none.
    private static final String LOCALE = "LC_ALL";

    private static final String PREFIX = "JDYNO_TARGET_";
    private static final String OURS = "JDYNO_";

    /// What else we read that may be secret.
    private static final List<String> SECRETS = List.of("PGPASSWORD");

    private Inherited() {}

    /// For a service of the user's: without our own variables, with those that the launcher set
    /// aside.
    ///
    /// @param environment of the process to be started, a copy of ours; changed
    /// @param command what it runs; a variable of ours that it names stays
    public static void byService(Map<String, String> environment, Collection<String> command) {
        restore(environment);
        withoutOurs(environment, command);
    }

    /// The value of one variable for a service of the user's; empty where it is not set.
    ///
    /// @param ours our own environment
    public static Optional<String> value(String name, Map<String, String> ours) {
        return Optional.ofNullable(OF_JVMS.contains(name) ? ours.get(PREFIX + name) : null)
                .or(() -> Optional.ofNullable(ours.get(name)));
    }

    /// For a server of our own lab: without our own variables, and without those that change JVMs,
    /// since each of its flags is part of an experiment.
    ///
    /// @param environment of the process to be started, a copy of ours; changed
    public static void bySample(Map<String, String> environment) {
        withoutOurs(environment, List.of());
        OF_JVMS.forEach(environment::remove);
    }

    /// For another jdyno that does a part of our work: as the launcher starts it.
    ///
    /// @param environment of the process to be started, a copy of ours; changed
    public static void byJdyno(Map<String, String> environment) {
        for (String name : OF_JVMS) {
            String value = environment.remove(name);
            if (value != null) {
                environment.put(PREFIX + name, value);
            }
        }
    }

    /// The variables that the launcher set aside, in alphabetical order.
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

    /// As a whole word: `PGPASSWORD=$PGPASSWORD java -jar app.jar`.
    private static boolean isNamed(String name, Collection<String> command) {
        Pattern word =
                Pattern.compile("(?<![A-Za-z0-9_])" + Pattern.quote(name) + "(?![A-Za-z0-9_])");
        return command.stream().anyMatch(part -> word.matcher(part).find());
    }
}
