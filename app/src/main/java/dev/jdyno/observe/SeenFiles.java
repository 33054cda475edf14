package dev.jdyno.observe;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Configuration files as a process sees them, its own root included, with wildcards. What was not
/// read is kept with the reason.
final class SeenFiles {
    /// More than any web server's configuration has; a circle of includes ends here.
    static final int MOST_FILES = 2000;

    private static final long MOST_BYTES = 4L << 20;

    private final ProcFs proc;
    private final long pid;
    private final List<String> unread = new ArrayList<>();
    private int files;
    private Instant newest = Instant.EPOCH;

    SeenFiles(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /// Whether there is such a file, readable or not.
    boolean exists(String path) {
        return Files.exists(proc.seenBy(pid, path));
    }

    private boolean isFolder(String path) {
        return Files.isDirectory(proc.seenBy(pid, path));
    }

    /// The files in a folder that a pattern stands for, by name; itself where it is no folder.
    List<String> inFolder(String path, String pattern) {
        return isFolder(path)
                ? matching(path.replaceFirst("/+$", "") + "/" + pattern).stream()
                        .filter(p -> !isFolder(p))
                        .toList()
                : List.of(path);
    }

    /// The file's text; empty when it cannot be read, which is kept then.
    Optional<String> text(String path) {
        if (files >= MOST_FILES) {
            unread.add("more than " + MOST_FILES + " files");
            return Optional.empty();
        }
        files++;
        Path file = proc.seenBy(pid, path);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                unread.add(path + (Files.exists(file) ? ": no text of usual size" : ": not there"));
                return Optional.empty();
            }
            Instant changed = Files.getLastModifiedTime(file).toInstant();
            newest = changed.isAfter(newest) ? changed : newest;
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException notOurs) {
            unread.add(path + ": " + reason(notOurs));
            return Optional.empty();
        }
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "not there" : "may not be read";
    }

    /// The paths, as the process sees them, that a path with `*`, `?` or `[…]` in any of its parts
    /// stands for, by name; itself where it has none of these.
    List<String> matching(String pattern) {
        if (!isPattern(pattern)) {
            return List.of(pattern);
        }
        List<String> found = List.of(pattern.startsWith("/") ? "" : ".");
        for (String part : pattern.replaceFirst("^/+", "").split("/+")) {
            List<String> next = new ArrayList<>();
            for (String folder : found) {
                if (isPattern(part)) {
                    inside(folder.isEmpty() ? "/" : folder, part)
                            .forEach(name -> next.add(folder + "/" + name));
                } else {
                    next.add(folder + "/" + part);
                }
            }
            found = next;
        }
        return found.stream().filter(this::exists).toList();
    }

    private static boolean isPattern(String path) {
        return path.matches(".*[*?\\[].*");
    }

    private List<String> inside(String folder, String glob) {
        var names = new TreeSet<String>();
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        try (var entries = Files.newDirectoryStream(proc.seenBy(pid, folder))) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                // as for glob(7), a dot at the beginning is none of what a star stands for
                boolean hidden = name.toString().startsWith(".") && !glob.startsWith(".");
                if (!hidden && matcher.matches(name)) {
                    names.add(name.toString());
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException notOurs) {
            unread.add(folder + ": may not be read");
        }
        return List.copyOf(names);
    }

    /// What was not read and why.
    List<String> unread() {
        return List.copyOf(unread);
    }

    /// When the youngest of the files was changed.
    Instant newest() {
        return newest;
    }
}
