package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.load.Timetable;
import dev.jdyno.measure.load.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogTest {
    private static final long MS = 1_000_000;

    @TempDir Path folder;

    private Workload read(String text, double speed) throws IOException {
        Path log = Files.writeString(folder.resolve("access.log"), text);
        return AccessLog.workload(log, Optional.of(speed));
    }

    private static String at(String time, String path) {
        return "127.0.0.1 - - [" + time + "] \"GET " + path + " HTTP/1.1\" 200 5\n";
    }

    private static List<String> paths(Workload w) {
        return w.data().rows().stream().map(r -> r.get("method") + " " + r.get("path")).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // formats: common, combined, Apache's vhost_combined, and nginx with its time and
                // one more field
                "127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a?b=c HTTP/1.1\" 404 2326",
                "::1 - ann smith [10/Oct/2025:13:55:36 +0000] \"GET /a?b=c HTTP/2.0\" 404 5 \"-\" \"x [y]\"",
                "shop.test:443 10.0.0.1 - - [10/Oct/2025:15:55:36 +0200] \"GET /a?b=c HTTP/1.0\" 404 -",
                "10.0.0.1 - - [2025-10-10T13:55:36+00:00] \"GET /a?b=c HTTP/1.1\" 404 5 rt=0.004",
                "10.0.0.1 - - [1760104536.000] \"GET /a?b=c HTTP/1.1\" 404 5",
                // Tomcat with milliseconds, and a proxy's request in absolute form
                "10.0.0.1 - - [10/Oct/2025:13:55:36.000 +0000] \"GET /a?b=c HTTP/1.1\" 404 5 12",
                "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET http://shop.test/a?b=c HTTP/1.1\" 404 5"
            })
    void readsLogFormatsOfServers(String line) throws IOException {
        Workload w = read(line + "\n" + at("10/Oct/2025:13:55:38 +0000", "/next"), 1);

        assertThat(paths(w)).containsExactly("GET /a?b=c", "GET /next");
        assertThat(w.data().rows().getFirst()).containsEntry("status", "404");
        assertThat(w.timetable()).contains(Timetable.of(0, 2000 * MS));
    }

    @Test
    void countsInvalidLinesAndShowsFirstThree() throws IOException {
        Workload w =
                read(
                        """
                        # a comment
                        127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "POST /x HTTP/1.1" 201 5
                        127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "-" 400 0
                        127.0.0.1 - - [yesterday] "GET / HTTP/1.1" 200 5
                        127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "OPTIONS * HTTP/1.1" 200 5
                        """,
                        1);

        assertThat(paths(w)).containsExactly("POST /x");
        var unread = w.replay().orElseThrow().unread();
        assertThat(unread.lines()).isEqualTo(5);
        assertThat(unread.count()).isEqualTo(4);
        assertThat(unread.first()).hasSize(3);
        assertThat(unread.first().getFirst()).isEqualTo("line 1: # a comment");
        assertThat(unread.first().get(1)).startsWith("line 3: ").contains("\"-\" 400");
    }

    @Test
    void spreadsRequestsOverTheirSecondAndAppliesSpeed() throws IOException {
        String log =
                at("10/Oct/2025:13:55:36 +0000", "/1")
                        + at("10/Oct/2025:13:55:36 +0000", "/2")
                        + at("10/Oct/2025:13:55:38 +0000", "/3");

        assertThat(read(log, 1).timetable()).contains(Timetable.of(0, 500 * MS, 2000 * MS));
        assertThat(read(log, 4).timetable()).contains(Timetable.of(0, 125 * MS, 500 * MS));
    }

    @Test
    void keepsMillisecondsAndSortsRequestsByTime() throws IOException {
        Workload w =
                read(
                        at("10/Oct/2025:13:55:37.250 +0000", "/later")
                                + at("10/Oct/2025:13:55:36.900 +0000", "/first")
                                + at("10/Oct/2025:13:55:37.250 +0000", "/last"),
                        1);

        assertThat(paths(w)).containsExactly("GET /first", "GET /later", "GET /last");
        assertThat(w.timetable()).contains(Timetable.of(0, 350 * MS, 350 * MS));
    }

    @Test
    void unescapesRequestOfAccessLog() throws IOException {
        Workload w =
                read(
                        at("10/Oct/2025:13:55:36 +0000", "/a?q=\\\"x\\\"&r=\\x22 b&t=\\\\&u=%20[]"),
                        1);

        assertThat(paths(w)).containsExactly("GET /a?q=%22x%22&r=%22%20b&t=%5C&u=%20[]");
    }

    @Test
    void readsCompressedLog() throws IOException {
        Path log = folder.resolve("access.log.1.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(log))) {
            out.write(at("10/Oct/2025:13:55:36 +0000", "/z").getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(paths(AccessLog.workload(log, Optional.empty()))).containsExactly("GET /z");
    }

    @Test
    void logWithoutRequestsIsErrorWithItsFirstLine() {
        assertThatThrownBy(() -> read("<html>\n", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("none of its 1 lines", "line 1: <html>");
    }
}
