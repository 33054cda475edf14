package dev.jdyno.compare;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Side;
import java.util.regex.Pattern;

/// A variant that does not start because the other one, which runs, holds a file that both write: a
/// database in a file, a folder of an index, a lock.
final class SharedFiles {
    /// As H2, Derby, Lucene, RocksDB, Kafka, SQLite, logging libraries and the JDK say it.
    private static final Pattern HELD =
            Pattern.compile(
                    "(?i)\\block(ed|s| held| file)?\\b|already (in use|booted|open|running|exists)"
                            + "|in use by|being used by|another (process|instance|program)"
                            + "|resource temporarily unavailable|SQLITE_BUSY");

    private SharedFiles() {}

    /// What opens a variant.
    interface Opening {
        Side open() throws InterruptedException;
    }

    /// Opens B while A runs.
    ///
    /// @throws UserError when it does not start
    static Side beside(Opening b) throws InterruptedException {
        try {
            return b.open();
        } catch (UserError notStarted) {
            throw explained(notStarted);
        }
    }

    /// With what to do about it, if the service's last words speak of a file that is held.
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
