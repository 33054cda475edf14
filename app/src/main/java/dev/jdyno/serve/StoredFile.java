package dev.jdyno.serve;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.history.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// A file that a result was stored with. One that is another by now is not shown.
public final class StoredFile {
    private static final String REPORT = "report.html";
    private static final int MOST_BYTES = 64 << 20;

    private StoredFile() {}

    /// The page of a result.
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

    /// Where the file is, if its content is the one that was stored.
    public static Optional<Path> path(Entry entry, String path) {
        return content(entry, path).flatMap(_ -> entry.folder().map(f -> Path.of(f).resolve(path)));
    }

    /// @param path below the result's folder
    /// @return empty where it is none of its artifacts, is gone, longer than 64 MiB, or not the one
    ///   that was stored
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
            byte[] content = ForeignText.bytes(file, MOST_BYTES);
            return Optional.of(content).filter(kept.get()::is);
        } catch (IOException unreadable) {
            // moved, or of another user by now: the figures are in the store
            return Optional.empty();
        }
    }
}
