package dev.jdyno.measure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// A JVM that runs on this host, as the kernel shows it.
///
/// @param user name or number of the user that runs it; empty when the process has ended meanwhile
/// @param ports ports on which it accepts TCP connections, ascending; empty when none, or not known
/// @param main the JVM's main class, jar or module, as its command line names it; blank when
///   unknown
/// @param springName the application's name among its Spring arguments
/// @param ageSeconds seconds since the JVM's start
/// @param cores CPU use during the observation, in cores
/// @param access what jdyno, as this user, can do with it
/// @param ownNetwork whether the JVM has a network namespace of its own, as in a container
public record RunningJvm(
        long pid,
        Optional<String> user,
        List<Integer> ports,
        String main,
        Optional<String> springName,
        Optional<Double> ageSeconds,
        Optional<Double> cores,
        Access access,
        boolean ownNetwork) {
    /// The extent to which a JVM can be observed.
    public enum Access {
        /// HotSpot, run by this user or observed by root. All figures can be observed.
        ALL,
        /// OpenJ9: its attach signal would write a core file, so jdyno only loads it.
        LOAD_ONLY;

        /// The key in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    // Matches the version in shop-1.4.2-SNAPSHOT.jar; /opt/app/shop.jar has none.
    private static final Pattern VERSION = Pattern.compile("-\\d[\\w.+-]*$");

    public RunningJvm {
        ports = ports.stream().sorted().toList();
    }

    /// The usual name of the service: the name of the Spring application. Without one, it is the
    /// jar's name without its version, the main class without its package, or the module. It has
    /// only lower-case letters, digits, dots, dashes and underscores, so that it can be a folder's
    /// name. Empty when no name is known.
    public Optional<String> serviceName() {
        return serviceName(main, springName);
    }

    /// The name of a service whose JVM has not started yet.
    public static Optional<String> serviceName(String main, Optional<String> springName) {
        String last = springName.orElseGet(() -> simple(main));
        String name = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
        String trimmed = name.replaceAll("^[._-]+|[._-]+$", "");
        return trimmed.isEmpty() ? Optional.empty() : Optional.of(trimmed);
    }

    private static String simple(String main) {
        String file = main.substring(main.lastIndexOf('/') + 1);
        if (file.endsWith(".java")) {
            return file.substring(0, file.length() - 5);
        }
        if (file.endsWith(".jar")) {
            return VERSION.matcher(file.substring(0, file.length() - 4)).replaceFirst("");
        }
        return file.substring(file.lastIndexOf('.') + 1);
    }
}
