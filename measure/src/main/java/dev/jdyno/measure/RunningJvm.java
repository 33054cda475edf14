package dev.jdyno.measure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// A JVM that runs on this host, as the kernel shows it.
///
/// @param user its user's name or number; empty when the process has ended meanwhile
/// @param ports on which it accepts TCP connections, ascending; empty when none, or not known
/// @param main its main class, jar or module, as its command line names it; blank when unknown
/// @param springName the application's name among its Spring arguments
/// @param ageSeconds since its start
/// @param cores of CPU that it used while it was looked at
/// @param access what jdyno, as this user, can do with it
/// @param ownNetwork whether it has a network of its own, as in a container
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
    /// What can be observed of a JVM.
    public enum Access {
        /// HotSpot, of this user or seen by root: everything.
        ALL,
        /// OpenJ9: its attach signal would write a core file, so it is only loaded.
        LOAD_ONLY;

        /// As in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    // shop-1.4.2-SNAPSHOT.jar, /opt/app/shop.jar
    private static final Pattern VERSION = Pattern.compile("-\\d[\\w.+-]*$");

    public RunningJvm {
        ports = ports.stream().sorted().toList();
    }

    /// What its users call the service: the Spring application's name, else its jar without
    /// version, its main class without package or its module. Lower case of letters, digits, dots
    /// and dashes, so that it can name a folder; empty when nothing of it is known.
    public Optional<String> serviceName() {
        return serviceName(main, springName);
    }

    /// The same of a JVM that is yet to be started.
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
