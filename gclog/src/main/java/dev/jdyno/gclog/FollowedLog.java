package dev.jdyno.gclog;

import dev.jdyno.foreign.Gunzip;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A log that a JVM is still writing, read like text with `tail -F`. When the file is rotated (JDK
/// 9 and later rename `gc.log` to `gc.log.0`; JDK 6–8 continue in `gc.log.1.current`) or truncated
/// by a copying `logrotate`, reading continues in its successor. No line is lost, because the old
/// file is read to its end first.
public final class FollowedLog implements AutoCloseable {
    /// Maximum number of successive files between two calls; HotSpot keeps five.
    private static final int MAX_SUCCESSORS = 16;

    private final LogFiles.Log log;
    private final GcLog.Reading reading;
    private Path path;
    private @Nullable InputStream in;
    private @Nullable Object fileKey;
    private long position;

    /// Reads the existing rotated parts and follows the last one.
    ///
    /// @throws UserError of kind usage if the log does not exist
    public FollowedLog(LogFiles.Log log, GcLog.Options options) {
        this.log = log;
        reading = new GcLog.Reading(options);
        List<Path> parts = log.parts();
        path = parts.getLast();
        for (Path part : parts.subList(0, parts.size() - 1)) {
            try (InputStream whole = GcLog.plain(Files.newInputStream(part))) {
                reading.feed(part.toString(), whole);
            } catch (IOException e) {
                throw LogFiles.unreadable(part, e);
            }
        }
    }

    /// Reads the lines written since the last call.
    ///
    /// @return true if anything was read
    public boolean poll() {
        try {
            for (int successors = 0; successors < MAX_SUCCESSORS; successors++) {
                InputStream open = in;
                if (open == null) {
                    if (!open()) {
                        return false;
                    }
                    open = Objects.requireNonNull(in);
                }
                long got = reading.feedAvailable(open);
                position += got;
                if (got > 0 || !isGone()) {
                    return got > 0;
                }
                open.close();
                in = null;
                reading.endPart();
            }
            return false;
        } catch (IOException e) {
            throw LogFiles.unreadable(path, e);
        }
    }

    private boolean open() throws IOException {
        Optional<Path> current = LogFiles.current(path);
        if (current.isEmpty()) {
            // the old file was renamed and the new one does not exist yet
            return false;
        }
        path = current.get();
        refusePacked();
        fileKey = key(path);
        in = Files.newInputStream(path);
        position = 0;
        return true;
    }

    /// Refuses a compressed file: no JVM writes to it any more, and half a compressed block cannot
    /// be unpacked.
    private void refusePacked() throws IOException {
        try (InputStream head = Files.newInputStream(path)) {
            if (Gunzip.isPacked(head)) {
                throw UserError.usage(
                        "cannot follow " + path,
                        "it is compressed: no JVM writes to it any more",
                        "read it without --follow, or follow the log that is being written");
            }
        }
    }

    /// True if another file replaced the log, or the log was truncated.
    private boolean isGone() throws IOException {
        return !Files.exists(path)
                || !Objects.equals(key(path), fileKey)
                || Files.size(path) < position;
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /// Returns the analysis of all lines read so far. The log cannot be followed further.
    public Analysis finish() {
        reading.endPart();
        return reading.finish(log.name());
    }

    @Override
    public void close() {
        InputStream open = in;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw LogFiles.unreadable(path, e);
            }
        }
    }
}
