package dev.jdyno.junit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Folders of results, inside the build's output folder.
final class Results {
    private Results() {}

    /// A new folder; a second measurement with the same name gets a number.
    ///
    /// @throws DynoException when it cannot be created
    static Path folder(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        try {
            Path all = Files.createDirectories(base().resolve("jdyno")).toAbsolutePath();
            for (int i = 1; ; i++) {
                try {
                    return Files.createDirectory(all.resolve(i == 1 ? plain : plain + "-" + i));
                } catch (FileAlreadyExistsException taken) {
                    // taken by an earlier measurement, or another process: the next number
                }
            }
        } catch (IOException e) {
            throw new DynoException("cannot make a folder for the results: " + e, e);
        }
    }

    private static Path base() {
        for (String build : new String[] {"target", "build"}) {
            if (Files.isDirectory(Path.of(build))) {
                return Path.of(build);
            }
        }
        return Path.of("");
    }
}
