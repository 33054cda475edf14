package dev.jdyno.observe.jfr;

import dev.jdyno.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Keeps only the events that `jdyno.jfc` requests. A file written by a JVM has the events of all
/// its recordings. Those of others may contain command lines, environment variables, system
/// properties and whatever the service itself records.
final class OwnEvents {
    // <event name="jdk.ThreadPark">
    private static final Pattern EVENT = Pattern.compile("<event name=\"([^\"]+)\">");

    private OwnEvents() {}

    /// Removes all other events from a recording.
    ///
    /// @throws IOException when that fails; the recording is then deleted
    static void keepOnly(Path recording) throws IOException {
        Set<String> own = names(settings());
        try {
            PrivateFiles.write(
                    recording,
                    part ->
                            RecordedEvents.copy(
                                    recording,
                                    part,
                                    event -> own.contains(event.getEventType().getName())));
        } catch (IOException unreadable) {
            Files.deleteIfExists(recording);
            throw new IOException(
                    "the events of other recordings could not be taken out of it ("
                            + unreadable.getMessage()
                            + "), and they may hold secrets",
                    unreadable);
        }
    }

    /// `jdyno.jfc` as it is in the jar, with its placeholders.
    static String settings() throws IOException {
        try (InputStream own =
                OwnEvents.class.getResourceAsStream("/dev/jdyno/observe/jdyno.jfc")) {
            if (own == null) {
                throw new IllegalStateException("jdyno.jfc is not in the jar");
            }
            return new String(own.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static Set<String> names(String settings) {
        return EVENT.matcher(settings)
                .results()
                .map((MatchResult m) -> m.group(1))
                .collect(Collectors.toUnmodifiableSet());
    }
}
