package dev.jdyno.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A temporary file for readers that need a path. Each input replaces its content.
public final class Scratch {
    private final Path folder;

    public Scratch() {
        try {
            folder = Files.createTempDirectory("jdyno-fuzz-");
        } catch (IOException noRoom) {
            throw new UncheckedIOException(noRoom);
        }
        folder.toFile().deleteOnExit();
    }

    public Path folder() {
        return folder;
    }

    public Path file(String name, byte[] content) {
        try {
            Path file = Files.write(folder.resolve(name), content);
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException noRoom) {
            throw new UncheckedIOException(noRoom);
        }
    }
}
