package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.sums.Analysis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedLogTest {
    @TempDir private Path dir;

    private final LiveTally tally = new LiveTally();

    private FollowedLog follow(Path log) {
        return new FollowedLog(LogFiles.find(List.of(log)).getFirst(), new GcLog.Options(0, tally));
    }

    private static String young(int id) {
        return "["
                + id
                + ".084s][info][gc] GC("
                + id
                + ") Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.500ms\n";
    }

    private static void append(Path log, String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void aLineWrittenInTwoPiecesIsReadOnce() throws IOException {
        Path log = dir.resolve("gc.log");
        append(log, young(0) + young(1).substring(0, 30));
        try (FollowedLog followed = follow(log)) {
            assertThat(followed.poll()).isTrue();
            append(log, young(1).substring(30));
            assertThat(followed.poll()).isTrue();
            assertThat(followed.poll()).isFalse();

            Analysis a = followed.finish();

            assertThat(a.count("young")).isEqualTo(2);
            assertThat(a.lines().unread()).isZero();
        }
    }

    @Test
    void rotationLosesNoLine() throws IOException {
        Path log = dir.resolve("gc.log");
        append(dir.resolve("gc.log.0"), young(0));
        append(log, young(1));
        try (FollowedLog followed = follow(log)) {
            followed.poll();
            append(log, young(2));
            Files.move(log, dir.resolve("gc.log.1"));
            followed.poll();
            append(log, young(3));
            followed.poll();

            assertThat(followed.finish().count("young")).isEqualTo(4);
        }
    }

    @Test
    void theCurrentFileOfAnOldJvmHasItsNumberInItsName() throws IOException {
        Path first = dir.resolve("gc.log.0.current");
        append(first, "1.000: [GC 21863K->2040K(27328K), 0.0077710 secs]\n");
        try (FollowedLog followed = follow(first)) {
            followed.poll();
            Files.move(first, dir.resolve("gc.log.0"));
            append(
                    dir.resolve("gc.log.1.current"),
                    "2.000: [GC 21863K->2040K(27328K), 0.0077710 secs]\n");
            followed.poll();

            assertThat(followed.finish().count("young")).isEqualTo(2);
        }
    }

    @Test
    void aFileThatWasCutIsReadFromItsBegin() throws IOException {
        Path log = dir.resolve("gc.log");
        append(log, young(0) + young(1));
        try (FollowedLog followed = follow(log)) {
            followed.poll();
            Files.writeString(log, young(2));
            followed.poll();

            assertThat(followed.finish().count("young")).isEqualTo(3);
        }
    }

    @Test
    void liveLineCoversTimeSinceLastLine() throws IOException {
        Path log = dir.resolve("gc.log");
        append(log, young(0) + young(1) + young(2));
        try (FollowedLog followed = follow(log)) {
            followed.poll();
            LiveTally.Since first = tally.take().orElseThrow();
            assertThat(first.pauses()).isEqualTo(2);
            assertThat(first.longestMs()).isEqualTo(2.5);
            assertThat(tally.take()).isEmpty();
            append(log, young(3));
            followed.poll();
            assertThat(tally.take().orElseThrow().pauses()).isEqualTo(1);
        }
    }
}
