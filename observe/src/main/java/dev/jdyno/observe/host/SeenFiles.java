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

/// Configuration files as a process sees them, including its own root, with wildcards. Files that
/// could not be read are recorded with the reason.
public final class SeenFiles {
    /// Maximum number of files, more than any web server's configuration has. It also ends circular
    /// includes.
    public static final int MAX_FILES = 2000;

    /// Maximum number of bytes of all files together: a file that includes itself is read again for
    /// each include.
    private static final long MAX_BYTES = 4L * Trust.TEXT_BYTES;

    /// Maximum number of names that are compared with wildcards, in all folders together.
    private static final int MAX_NAMES = 100_000;

    /// Maximum number of words of directives that are kept: about 60 bytes each.
    private static final int MAX_WORDS = 1_000_000;

    /// Maximum number of unread files that are reported separately.
    private static final int MAX_REPORTED = 20;

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

    /// True if the file exists, readable or not.
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
        if (unread.size() < MAX_REPORTED) {
            unread.add(what);
        } else {
            unread.add("and others");
        }
    }

    /// The files in a folder that match a pattern, by name; the path itself if it is not a folder.
    public List<String> inFolder(String path, String pattern) {
        return isFolder(path)
                ? matching(path.replaceFirst("/+$", "") + "/" + pattern).stream()
                        .filter(p -> !isFolder(p))
                        .toList()
                : List.of(path);
    }

    /// The file's text. Empty when it cannot be read; this is recorded.
    public Optional<String> text(String path) {
        if (files >= MAX_FILES || bytes >= MAX_BYTES) {
            unread(
                    files >= MAX_FILES
                            ? "more than " + MAX_FILES + " files"
                            : "more than " + (MAX_BYTES >> 20) + " MiB in all");
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

    /// True if another directive may be kept. If not, the maximum is recorded with the unread
    /// files.
    public boolean canAdd(List<String> directive) {
        words += 1 + directive.size();
        if (words > MAX_WORDS) {
            words = MAX_WORDS;
            unread("more than " + MAX_WORDS + " words");
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

    /// The paths, as the process sees them, that match a path with `*`, `?` or `[…]` in any of its
    /// parts, by name. A path without any of these is returned unchanged.
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
                if (++names > MAX_NAMES) {
                    unread("wildcards that look at more than " + MAX_NAMES + " names");
                    return List.of();
                }
                // as in glob(7), a star does not match a leading dot
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

    /// The unread files, with the reasons.
    public List<String> unread() {
        return List.copyOf(unread);
    }

    /// Time of the latest change of any of the files.
    public Instant newest() {
        return newest;
    }
}
