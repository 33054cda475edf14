package dev.jdyno.lab.planted;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A folder for the files of one case. It has no subfolders and is removed at the end.
record Scratch(Path folder) implements Closeable {
    static Scratch in(Path parent) throws IOException {
        return new Scratch(Files.createTempDirectory(parent, "jdyno-lab-"));
    }

    @Override
    public void close() throws IOException {
        List<Path> files;
        try (Stream<Path> inside = Files.list(folder)) {
            files = inside.toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(folder);
    }
}
