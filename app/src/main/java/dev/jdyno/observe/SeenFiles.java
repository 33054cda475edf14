package dev.jdyno.observe;

import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Stat;
import dev.jdyno.files.Trust;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.TargetFiles;
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

    private final TargetFiles seen;
    private final List<String> unread = new ArrayList<>();
    private int files;
    private Instant newest = Instant.EPOCH;

    SeenFiles(ProcFs proc, long pid) {
        this.seen = TargetFiles.of(proc, pid);
    }

    /// Whether there is such a file, readable or not.
    boolean exists(String path) {
        return stat(path).isPresent();
    }

    private boolean isFolder(String path) {
        return stat(path).filter(s -> s.kind() == Stat.Kind.FOLDER).isPresent();
    }

    private Optional<Stat> stat(String path) {
        try {
            return seen.stat(path);
        } catch (IOException notOurs) {
            return Optional.empty();
        }
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
        try (Handle file = seen.open(path, Trust.TEXT_BYTES)) {
            String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
            Instant changed = Files.getLastModifiedTime(file.path()).toInstant();
            newest = changed.isAfter(newest) ? changed : newest;
            return Optional.of(text);
        } catch (IOException notOurs) {
            unread.add(path + ": " + reason(notOurs));
            return Optional.empty();
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "not there";
            case NotTrusted _ -> "no text of usual size";
            default -> "may not be read";
        };
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
        try {
            for (String name : seen.names(folder)) {
                // as for glob(7), a dot at the beginning is none of what a star stands for
                boolean hidden = name.startsWith(".") && !glob.startsWith(".");
                if (!hidden && matcher.matches(Path.of(name))) {
                    names.add(name);
                }
            }
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
