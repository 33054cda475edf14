package dev.jdyno.compare;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Side;
import java.util.regex.Pattern;

/// Explains why B does not start while A runs: A holds a file that both write, such as a database
/// file, an index folder or a lock.
final class SharedFiles {
    /// Error texts for held files, of H2, Derby, Lucene, RocksDB, Kafka, SQLite, logging libraries
    /// and the JDK.
    private static final Pattern HELD =
            Pattern.compile(
                    "(?i)\\block(ed|s| held| file)?\\b|already (in use|booted|open|running|exists)"
                            + "|in use by|being used by|another (process|instance|program)"
                            + "|resource temporarily unavailable|SQLITE_BUSY");

    private SharedFiles() {}

    /// Opens a variant.
    interface Opening {
        Side open() throws InterruptedException;
    }

    /// Opens B while A runs.
    ///
    /// @throws UserError if B does not start
    static Side beside(Opening b) throws InterruptedException {
        try {
            return b.open();
        } catch (UserError notStarted) {
            throw explained(notStarted);
        }
    }

    /// Adds advice if the service's last output mentions a file that another process holds.
    static UserError explained(UserError notStarted) {
        if (!HELD.matcher(notStarted.why()).find()) {
            return notStarted;
        }
        return new UserError(
                        notStarted.kind(),
                        notStarted.what() + ", while A ran",
                        notStarted.why(),
                        "if both write one folder or file, give each its own: {port} can stand in"
                                + " its name. Without {port} in command and URL they run one after"
                                + " the other")
                .causedBy(notStarted);
    }
}
