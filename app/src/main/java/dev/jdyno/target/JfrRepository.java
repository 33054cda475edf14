package dev.jdyno.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The folder in which a JVM keeps the chunks of its flight recordings. It removes it when it ends,
/// but not when it is killed.
final class JfrRepository {
    private static final Pattern OWN_TMP = Pattern.compile("\0-Djava\\.io\\.tmpdir=([^\0]+)");

    /// Variables from which a JVM or its launcher takes options.
    private static final Pattern OPTIONS =
            Pattern.compile("(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)=");

    private JfrRepository() {}

    /// Those of a JVM that still runs and that records for nobody but us; none when its command
    /// line or its environment (`JAVA_TOOL_OPTIONS`) asks for recordings or may do so in a file of
    /// arguments, or when it sees other files than we do.
    static List<Path> of(ProcFs proc, long pid) {
        String command = proc.text(pid, "cmdline").orElse("");
        if (command.isEmpty()
                || mayAskForRecordings(command)
                || mayAskForRecordings(optionsOfEnvironment(proc, pid))
                || !seesOurFiles(proc, pid)) {
            return List.of();
        }
        Matcher own = OWN_TMP.matcher(command);
        Path tmp = Path.of(own.find() ? own.group(1) : "/tmp");
        List<Path> found = new ArrayList<>();
        // 2026_11_25_02_51_13_4711
        try (var folders = Files.newDirectoryStream(tmp, "????_??_??_??_??_??_" + pid)) {
            for (Path folder : folders) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(folder);
                }
            }
        } catch (IOException unreadable) {
            // a folder that cannot be listed cannot be emptied either
            return List.of();
        }
        return found;
    }

    private static boolean seesOurFiles(ProcFs proc, long pid) {
        try {
            return Files.isSameFile(proc.of(pid, "root"), Path.of("/"));
        } catch (IOException notOurs) {
            return false;
        }
    }

    static void remove(Path repository) {
        try (var all = Files.walk(repository)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | java.io.UncheckedIOException notOurs) {
            // another user's: it stays, as it would if that user's JVM crashed
        }
    }

    private static String optionsOfEnvironment(ProcFs proc, long pid) {
        return proc.text(pid, "environ")
                .orElse("")
                .transform(all -> Stream.of(all.split("\0")))
                .filter(v -> OPTIONS.matcher(v).lookingAt())
                .collect(Collectors.joining("\0"));
    }

    private static boolean mayAskForRecordings(String options) {
        return options.contains("FlightRecord") || options.contains("\0@");
    }
}
