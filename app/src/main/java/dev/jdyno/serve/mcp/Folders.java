package dev.jdyno.serve.mcp;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The folders whose files may be read. An assistant may follow instructions in texts that other
/// people wrote. So it can read only these files of the user.
public final class Folders {
    private final List<Path> roots;

    private Folders(List<Path> roots) {
        this.roots = roots;
    }

    /// @throws UserError if one of the paths is not a folder
    public static Folders of(List<Path> given) {
        List<Path> roots = new ArrayList<>();
        for (Path folder : given) {
            try {
                Path real = folder.toRealPath();
                if (!Files.isDirectory(real)) {
                    throw UserError.usage(
                            "--files " + folder, "it is no folder", "give a folder that exists");
                }
                roots.add(real);
            } catch (IOException missing) {
                throw UserError.usage(
                                "--files " + folder,
                                "it cannot be opened: " + missing,
                                "give a folder that exists")
                        .causedBy(missing);
            }
        }
        return new Folders(List.copyOf(roots));
    }

    /// The current folder, which is used if `--files` names none. It is refused if all of the
    /// user's files are below it, because some clients start their servers in `/` or in the home
    /// folder.
    ///
    /// @param homes home folders of the user; missing folders are skipped
    /// @throws UserError if `current` is `/`, a home folder, or above a home folder
    public static Folders current(Path current, List<Path> homes) {
        Folders here = of(List.of(current));
        Path real = here.roots.getFirst();
        boolean all =
                real.getNameCount() == 0
                        || homes.stream()
                                .flatMap(h -> real(h).stream())
                                .anyMatch(h -> h.startsWith(real));
        if (all) {
            throw UserError.usage(
                    "the files below " + real + " are not offered to an assistant",
                    "the client started jdyno there, no --files was given, and all of your files"
                            + " lie below it",
                    "give the folder of your GC logs and plans: jdyno mcp --files FOLDER");
        }
        return here;
    }

    private static Optional<Path> real(Path folder) {
        try {
            return Optional.of(folder.toRealPath());
        } catch (IOException missing) {
            // The folder does not exist, so no client can have started jdyno in it.
            return Optional.empty();
        }
    }

    /// The named file with every link resolved; a relative path starts at the first folder.
    ///
    /// @throws UserError if the file does not exist or is outside the folders
    Path file(String argument, String given) {
        Path real = below(argument, given);
        if (!Files.isRegularFile(real)) {
            throw UserError.usage(
                    argument + " " + given, "it is no regular file", "give a file, not a folder");
        }
        return real;
    }

    /// The named file or folder with every link resolved; a relative path starts at the first
    /// folder.
    ///
    /// @throws UserError if the path does not exist, is outside the folders, or is a pipe or a
    ///   device
    Path fileOrFolder(String argument, String given) {
        Path real = below(argument, given);
        if (!Files.isRegularFile(real) && !Files.isDirectory(real)) {
            throw UserError.usage(
                    argument + " " + given,
                    "it is neither a regular file nor a folder",
                    "give a file or a folder");
        }
        return real;
    }

    private Path below(String argument, String given) {
        Path real;
        try {
            real = roots.getFirst().resolve(given).toRealPath();
        } catch (IOException | InvalidPathException missing) {
            throw UserError.usage(
                            argument + " " + given,
                            "there is no such file",
                            "give a file below " + names())
                    .causedBy(missing);
        }
        if (roots.stream().noneMatch(real::startsWith)) {
            throw UserError.usage(
                    argument + " " + given,
                    "it lies outside the folders that may be read: " + names(),
                    "start jdyno mcp with --files FOLDER");
        }
        return real;
    }

    private String names() {
        return roots.stream().map(Path::toString).collect(Collectors.joining(", "));
    }
}
