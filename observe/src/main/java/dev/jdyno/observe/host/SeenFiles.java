package dev.jdyno.observe.host;

import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Stat;
import dev.jdyno.files.Trust;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.TargetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Configuration files as a process sees them, its own root included, with wildcards. What was not
/// read is kept with the reason.
public final class SeenFiles {
    /// More than any web server's configuration has; a circle of includes ends here.
    public static final int MOST_FILES = 2000;

    /// Bytes of all files together: one that includes itself is read as often as it says so.
    private static final long MOST_BYTES = 4L * Trust.TEXT_BYTES;

    /// Names that wildcards are compared with, in all folders together.
    private static final int MOST_NAMES = 100_000;

    /// Words of directives that are kept: some 60 bytes each.
    private static final int MOST_WORDS = 1_000_000;

    /// What was not read, as far as it is reported one by one.
    private static final int MOST_TOLD = 20;

    private final TargetFiles seen;
    private final Set<String> unread = new LinkedHashSet<>();
    private int files;
    private int names;
    private int words;
    private long bytes;
    private Instant newest = Instant.EPOCH;

    public SeenFiles(ProcFs proc, long pid) {
        this.seen = TargetFiles.of(proc, pid);
    }

    /// Whether there is such a file, readable or not.
    public boolean exists(String path) {
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

    private void unread(String what) {
        if (unread.size() < MOST_TOLD) {
            unread.add(what);
        } else {
            unread.add("and others");
        }
    }

    /// The files in a folder that a pattern stands for, by name; itself where it is no folder.
    public List<String> inFolder(String path, String pattern) {
        return isFolder(path)
                ? matching(path.replaceFirst("/+$", "") + "/" + pattern).stream()
                        .filter(p -> !isFolder(p))
                        .toList()
                : List.of(path);
    }

    /// The file's text; empty when it cannot be read, which is kept then.
    public Optional<String> text(String path) {
        if (files >= MOST_FILES || bytes >= MOST_BYTES) {
            unread(
                    files >= MOST_FILES
                            ? "more than " + MOST_FILES + " files"
                            : "more than " + (MOST_BYTES >> 20) + " MiB in all");
            return Optional.empty();
        }
        files++;
        try (Handle file = seen.open(path, Trust.TEXT_BYTES)) {
            byte[] content = file.bytes();
            bytes += content.length;
            Instant changed = Files.getLastModifiedTime(file.path()).toInstant();
            newest = changed.isAfter(newest) ? changed : newest;
            return Optional.of(new String(content, StandardCharsets.ISO_8859_1));
        } catch (IOException notOurs) {
            unread(path + ": " + reason(notOurs));
            return Optional.empty();
        }
    }

    /// Whether there is room for another directive; that there is none is kept with what was not
    /// read.
    public boolean hasRoomFor(List<String> directive) {
        words += 1 + directive.size();
        if (words > MOST_WORDS) {
            words = MOST_WORDS;
            unread("more than " + MOST_WORDS + " words");
            return false;
        }
        return true;
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
    public List<String> matching(String pattern) {
        if (!Glob.isOne(pattern)) {
            return List.of(pattern);
        }
        List<String> found = List.of(pattern.startsWith("/") ? "" : ".");
        for (String part : pattern.replaceFirst("^/+", "").split("/+")) {
            List<String> next = new ArrayList<>();
            for (String folder : found) {
                if (Glob.isOne(part)) {
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

    private List<String> inside(String folder, String glob) {
        var found = new TreeSet<String>();
        var matcher = new Glob(glob);
        if (!isFolder(folder)) {
            return List.of();
        }
        try {
            for (String name : seen.names(folder)) {
                if (++names > MOST_NAMES) {
                    unread("wildcards that look at more than " + MOST_NAMES + " names");
                    return List.of();
                }
                // as for glob(7), a dot at the beginning is none of what a star stands for
                boolean hidden = name.startsWith(".") && !glob.startsWith(".");
                if (!hidden && matcher.matches(name)) {
                    found.add(name);
                }
            }
        } catch (IOException notOurs) {
            unread(folder + ": may not be read");
        }
        return List.copyOf(found);
    }

    /// What was not read and why.
    public List<String> unread() {
        return List.copyOf(unread);
    }

    /// When the youngest of the files was changed.
    public Instant newest() {
        return newest;
    }
}
