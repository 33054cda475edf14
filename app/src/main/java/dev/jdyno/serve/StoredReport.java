package dev.jdyno.serve;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.history.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// The page that a result was stored with. A file that is another one by now is not shown.
final class StoredReport {
    private static final String NAME = "report.html";
    private static final int MOST_BYTES = 64 << 20;

    private StoredReport() {}

    static Optional<String> of(Entry entry) {
        Optional<Entry.Artifact> kept =
                entry.artifacts().stream().filter(a -> a.path().equals(NAME)).findFirst();
        if (kept.isEmpty() || entry.folder().isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(entry.folder().get()).resolve(NAME);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            byte[] content = ForeignText.bytes(file, MOST_BYTES);
            return kept.get().is(content)
                    ? Optional.of(ForeignText.decode(content))
                    : Optional.empty();
        } catch (IOException unreadable) {
            // moved, or of another user by now: the figures are in the store
            return Optional.empty();
        }
    }
}
