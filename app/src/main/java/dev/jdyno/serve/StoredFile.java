package dev.jdyno.serve;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.history.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// A file that was stored with a result. It is not shown if its content has changed.
public final class StoredFile {
    private static final String REPORT = "report.html";
    private static final int MAX_BYTES = 64 << 20;

    private StoredFile() {}

    /// The HTML report of a result.
    static Optional<String> report(Entry entry) {
        return text(entry, REPORT);
    }

    /// @param path below the result's folder
    public static Optional<String> text(Entry entry, String path) {
        try {
            Optional<byte[]> content = content(entry, path);
            return content.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ForeignText.decode(content.get()));
        } catch (Malformed noText) {
            return Optional.empty();
        }
    }

    /// The path of the file if its content is the stored one.
    public static Optional<Path> path(Entry entry, String path) {
        return content(entry, path).flatMap(_ -> entry.folder().map(f -> Path.of(f).resolve(path)));
    }

    /// @param path below the result's folder
    /// @return empty if the file is not an artifact of the result, is missing, is longer than 64
    ///   MiB, or has other content than the stored file
    public static Optional<byte[]> content(Entry entry, String path) {
        Optional<Entry.Artifact> kept =
                entry.artifacts().stream().filter(a -> a.path().equals(path)).findFirst();
        if (kept.isEmpty() || entry.folder().isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(entry.folder().get()).resolve(path);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            byte[] content = ForeignText.bytes(file, MAX_BYTES);
            return Optional.of(content).filter(kept.get()::is);
        } catch (IOException unreadable) {
            // The file was moved, or belongs to another user now. The store still has the figures.
            return Optional.empty();
        }
    }
}
