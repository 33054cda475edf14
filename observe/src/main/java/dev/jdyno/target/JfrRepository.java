package dev.jdyno.target;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Stat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The folder in which a JVM keeps the chunks of its flight recordings. The JVM removes it when it
/// ends, but not when it is killed.
///
/// The folder is removed by its handle, and only if it belongs to the JVM's user. Only files in it
/// are removed, because the flight recorder creates no folders there.
final class JfrRepository {
    private static final Pattern OWN_TMP = Pattern.compile("\0-Djava\\.io\\.tmpdir=([^\0]+)");

    /// Environment variables with options for a JVM or its launcher.
    private static final Pattern OPTIONS =
            Pattern.compile("(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)=");

    private final Folder tmp;
    private final Folder folder;

    private JfrRepository(Folder tmp, Folder folder) {
        this.tmp = tmp;
        this.folder = folder;
    }

    /// The repositories of a running JVM that records only for jdyno. None if its command line or
    /// its environment (`JAVA_TOOL_OPTIONS`) requests recordings, or may do so in an argument file.
    /// None if it has another file system than jdyno.
    static List<JfrRepository> of(ProcFs proc, long pid) {
        String command = proc.text(pid, "cmdline").orElse("");
        if (command.isEmpty()
                || mayAskForRecordings(command)
                || mayAskForRecordings(optionsOfEnvironment(proc, pid))
                || !seesOurFiles(proc, pid)) {
            return List.of();
        }
        Matcher own = OWN_TMP.matcher(command);
        return in(Path.of(own.find() ? own.group(1) : "/tmp"), pid, proc.effectiveUid(pid));
    }

    /// @param owner the JVM's user
    static List<JfrRepository> in(Path tmpFolder, long pid, OptionalLong owner) {
        // 2026_11_25_02_51_13_4711
        Pattern name = Pattern.compile("\\d{4}(_\\d{2}){5}_" + pid);
        List<JfrRepository> found = new ArrayList<>();
        try (Folder tmp = Folder.open(tmpFolder)) {
            for (String entry : tmp.names()) {
                if (name.matcher(entry).matches() && isOf(owner, tmp.stat(entry))) {
                    found.add(new JfrRepository(Folder.open(tmpFolder), tmp.folder(entry)));
                }
            }
        } catch (IOException unreadable) {
            // a folder that cannot be listed cannot be emptied either
            return found;
        }
        return found;
    }

    private static boolean isOf(OptionalLong owner, Optional<Stat> its) {
        return its.filter(s ->
                        s.kind() == Stat.Kind.FOLDER
                                && owner.isPresent()
                                && s.uid() == owner.getAsLong())
                .isPresent();
    }

    Path path() throws IOException {
        return folder.path();
    }

    private static boolean seesOurFiles(ProcFs proc, long pid) {
        try {
            return Files.isSameFile(proc.of(pid, "root"), Path.of("/"));
        } catch (IOException notOurs) {
            return false;
        }
    }

    void remove() {
        try (tmp;
                folder) {
            SharedFolder.remove(tmp, folder, folder.name());
        } catch (IOException notOurs) {
            // the folder belongs to another user: it stays, as after a crash of that user's JVM
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
