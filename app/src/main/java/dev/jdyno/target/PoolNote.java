package dev.jdyno.target;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The sizes that pools of a target had before somebody changed them, as a file in the target's
/// `/tmp` for as long as they have another one. Who is killed with SIGKILL leaves it there, and the
/// next jdyno on that JVM restores what it says.
///
/// The first line is the JVM's start time in ticks, each other one `SIZE ATTRIBUTE NAME`.
final class PoolNote {
    // jdyno-1234t5678-pools-4711-8812736451.txt: who changed them, whose they are
    private static final Pattern NAME =
            Pattern.compile("jdyno-(" + ToolMark.PATTERN + ")-pools-(\\d{1,10})-\\d+\\.txt");

    private final Path file;

    private PoolNote(Path file) {
        this.file = file;
    }

    /// One pool as it was.
    record Before(String name, String attribute, int size) {
        private static Optional<Before> parse(String line) {
            String[] words = line.split(" ", 3);
            return words.length == 3 && words[0].matches("\\d{1,9}")
                    ? Optional.of(new Before(words[2], words[1], Integer.parseInt(words[0])))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return size + " " + attribute + " " + name;
        }
    }

    /// A new one, with no pool in it yet.
    ///
    /// @param started when the JVM started, in ticks
    /// @throws UserError when it cannot be written: then nothing may be changed, as nobody could
    ///   restore it after us
    static PoolNote begin(Path tmp, long pid, String started) {
        ToolMark own = ToolMark.own();
        try {
            Path file = Files.createTempFile(tmp, "jdyno-" + own + "-pools-" + pid + "-", ".txt");
            Files.writeString(file, started + "\n");
            return new PoolNote(file);
        } catch (IOException notWritten) {
            throw UserError.target(
                            "the pool cannot be resized",
                            "its size cannot be noted in the target's /tmp, so nobody could restore it"
                                    + " were jdyno killed: "
                                    + notWritten.getMessage(),
                            "let its /tmp be written")
                    .causedBy(notWritten);
        }
    }

    void add(Before pool) throws IOException {
        Files.writeString(file, pool + "\n", StandardOpenOption.APPEND);
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    /// What was noted for the JVM that `started` then; none when another one had the pid.
    List<Before> pools(String started) throws IOException {
        // a file in a folder that others write to
        List<String> lines =
                ForeignText.decode(ForeignText.bytes(file), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
        return lines.isEmpty() || !lines.getFirst().equals(started)
                ? List.of()
                : lines.stream().skip(1).flatMap(l -> Before.parse(l).stream()).toList();
    }

    /// Those that jdynos which live no more left about a JVM, the last one first. A file that
    /// neither we nor `owner`, the target's user, wrote says nothing.
    static List<PoolNote> leftAbout(Path tmp, long pid, Object owner) throws IOException {
        List<Path> left = new ArrayList<>();
        try (var files = Files.newDirectoryStream(tmp, "jdyno-*-pools-*.txt")) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                boolean itsToolLives =
                        name.matches() && ToolMark.parse(name.group(1)).lives(ProcFs.SYSTEM);
                if (name.matches()
                        && !itsToolLives
                        && Long.parseLong(name.group(2)) == pid
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && isTrusted(file, owner)) {
                    left.add(file);
                }
            }
        }
        left.sort(Comparator.comparing(PoolNote::written).reversed());
        return left.stream().map(PoolNote::new).toList();
    }

    private static boolean isTrusted(Path file, Object owner) throws IOException {
        Object writer = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        Object ours = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return writer.equals(ours) || writer.equals(owner);
    }

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}
