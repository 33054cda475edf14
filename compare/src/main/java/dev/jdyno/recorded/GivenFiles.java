package dev.jdyno.recorded;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Stat;
import dev.jdyno.measure.text.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files that a user named, and those in the folders that a user named. Links and pipes in a
/// folder are ignored; if the user named one itself, it is a mistake.
final class GivenFiles {
    /// Maximum depth of folders below the given one.
    private static final int DEEPEST = 4;

    private static final int MAX_FILES = 10_000;

    /// One file.
    ///
    /// @param name as the user wrote it
    /// @param explicit whether the user named the file itself, not its folder
    record Given(String name, Path path, boolean explicit) {}

    private final Problems problems;
    private final Map<Path, Given> found = new LinkedHashMap<>();

    private GivenFiles(Problems problems) {
        this.problems = problems;
    }

    /// @param problems receives what cannot be read
    static List<Given> of(List<Path> given, Problems problems) {
        var files = new GivenFiles(problems);
        given.forEach(files::add);
        return List.copyOf(files.found.values());
    }

    private void add(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            problems.add(path.toString(), "there is no such file", "check the path");
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            put(new Given(path.toString(), path, true));
        } else if (Files.isDirectory(path)) {
            try (Folder folder = Folder.open(path)) {
                below(folder, path, 0);
            } catch (IOException unreadable) {
                problems.add(
                        path.toString(),
                        "cannot be read: " + unreadable.getMessage(),
                        "check its permissions");
            }
        } else {
            problems.add(
                    path.toString(),
                    "is neither a regular file nor a folder",
                    "give the file itself, not a link or a pipe");
        }
    }

    private void below(Folder folder, Path path, int depth) throws IOException {
        List<String> folders = new ArrayList<>();
        for (String name : folder.names()) {
            Optional<Stat.Kind> kind = folder.stat(name).map(Stat::kind);
            if (kind.filter(k -> k == Stat.Kind.FILE).isPresent()) {
                put(new Given(path.resolve(name).toString(), path.resolve(name), false));
            } else if (kind.filter(k -> k == Stat.Kind.FOLDER).isPresent()) {
                folders.add(name);
            }
        }
        for (String name : depth < DEEPEST ? folders : List.<String>of()) {
            try (Folder inner = folder.folder(name)) {
                below(inner, path.resolve(name), depth + 1);
            }
        }
    }

    private void put(Given file) {
        if (found.size() == MAX_FILES) {
            problems.add(
                    file.name(),
                    "is one of more than " + MAX_FILES + " files",
                    "give the folder that holds the recordings alone");
            return;
        }
        found.putIfAbsent(file.path().toAbsolutePath().normalize(), file);
    }
}
