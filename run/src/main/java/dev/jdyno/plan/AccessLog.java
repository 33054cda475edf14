package dev.jdyno.plan;

import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.foreign.Gunzip;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.load.Timetable;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Data;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Replay;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Unread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The requests of an access log in the common or combined format, as Apache httpd, nginx and
/// Tomcat write them, in the order of their times. Only the time in brackets and the quoted request
/// are read.
///
/// A log with whole seconds does not show when within a second a request came. The requests of one
/// second are spread evenly over it, in the log's order, because a burst would be a load that never
/// existed.
final class AccessLog {
    /// Maximum number of requests in memory, at some 30 bytes each plus the distinct ones.
    private static final int MAX_REQUESTS = 5_000_000;

    /// Maximum bytes of a line. Servers accept request lines of 8 KiB, and log some headers with
    /// them.
    private static final int LONGEST_LINE = 1 << 16;

    /// Maximum bytes of all distinct requests together, as text and with Java's overhead for each.
    private static final long MAX_DISTINCT_BYTES = 512L << 20;

    private static final int BYTES_A_ROW = 300;

    /// Maximum period of a log, because its nanoseconds must fit into a `long`.
    private static final long LONGEST_S = 100L * 366 * 24 * 3600;

    private static final int UNREAD_SHOWN = 3;
    private static final int UNREAD_WIDTH = 120;

    // a line of the combined format:
    // 127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "-" "curl/8.1"
    private static final Pattern LINE =
            Pattern.compile(
                    "[^\\[\"]*\\[([^\\]]+)\\][^\"]*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"(?: (\\d{3})\\b)?");

    // the quoted request of a line: GET http://shop.test/a?b=c HTTP/1.1
    private static final Pattern REQUEST =
            Pattern.compile(
                    "([A-Za-z]+) (?:https?://[^/ ]+)?(/.*?) HTTP/\\d(?:\\.\\d)?",
                    Pattern.CASE_INSENSITIVE);

    private record Request(LogTime time, Map<String, String> row) {}

    private final List<Request> requests = new ArrayList<>();
    private final Map<Map<String, String>, Map<String, String>> distinct = new HashMap<>();
    private final List<String> firstUnread = new ArrayList<>();
    private final LogTime.Reader times = new LogTime.Reader();
    private long lines;
    private long unread;
    private long distinctBytes;

    private AccessLog() {}

    /// @param file the log, which may be compressed (`.gz`)
    /// @param speed factor by which the requests are sent faster than in the log; empty: at the
    ///   load's own pace
    /// @throws IllegalArgumentException if the file contains no request
    static Workload workload(Path file, Optional<Double> speed) throws IOException {
        var log = new AccessLog();
        boolean packed = String.valueOf(file.getFileName()).endsWith(".gz");
        Optional<Incomplete.Kind> damage = Optional.empty();
        try (InputStream bytes = Files.newInputStream(file)) {
            if (packed) {
                try (var unpacked = new Gunzip(bytes)) {
                    log.readAll(unpacked);
                    damage = unpacked.damage();
                }
            } else {
                log.readAll(bytes);
            }
        }
        Optional<Incomplete> incomplete =
                damage.map(kind -> new Incomplete(file.toString(), log.lines, kind));
        if (log.requests.isEmpty()) {
            throw new IllegalArgumentException(
                    "none of its "
                            + log.lines
                            + " lines is a request"
                            + log.firstUnread.stream()
                                    .limit(1)
                                    .map(l -> "; " + l)
                                    .findAny()
                                    .orElse("")
                            + incomplete.map(i -> "; " + i.kind().says()).orElse(""));
        }
        var left = new Unread(log.lines, log.unread, log.firstUnread, incomplete);
        return log.workload(file, speed, speed.map(log::starts), left);
    }

    private void readAll(InputStream in) throws IOException {
        var all = new ForeignLines(in, StandardCharsets.ISO_8859_1, LONGEST_LINE);
        for (var line = all.next(); line.isPresent(); line = all.next()) {
            lines++;
            if (line.get().whole()) {
                read(line.get().text());
            } else {
                leave("longer than " + LONGEST_LINE + " bytes: " + shown(line.get().text()));
            }
        }
    }

    private void leave(String why) {
        unread++;
        if (firstUnread.size() < UNREAD_SHOWN) {
            firstUnread.add("line " + lines + ": " + why);
        }
    }

    private void read(String line) {
        Matcher m = LINE.matcher(line);
        Matcher request = m.lookingAt() ? REQUEST.matcher(m.group(2)) : REQUEST.matcher("");
        Optional<LogTime> time =
                request.matches() ? times.read(m.group(1)) : Optional.<LogTime>empty();
        if (time.isEmpty()) {
            leave(shown(line));
            return;
        }
        if (requests.size() == MAX_REQUESTS) {
            throw new IllegalArgumentException(
                    "more than " + MAX_REQUESTS + " requests: cut it, as with head or split");
        }
        String path = LogText.target(request.group(2));
        Map<String, String> row =
                Map.of(
                        "method",
                        request.group(1),
                        "path",
                        path,
                        "status",
                        m.group(3) == null ? "" : m.group(3));
        Map<String, String> known = distinct.putIfAbsent(row, row);
        if (known == null) {
            distinctBytes += BYTES_A_ROW + path.length();
            if (distinctBytes > MAX_DISTINCT_BYTES) {
                throw new IllegalArgumentException(
                        "more different requests than "
                                + (MAX_DISTINCT_BYTES >> 20)
                                + " MiB hold: cut it, as with head or split");
            }
        }
        requests.add(new Request(time.get(), known == null ? row : known));
    }

    private static String shown(String line) {
        boolean all = line.length() <= UNREAD_WIDTH;
        String text = all ? line : line.substring(0, UNREAD_WIDTH) + "…";
        return text.replaceAll("[^ -~…]", "?");
    }

    /// Start times of the requests. They are sorted first, because a server logs a request when it
    /// ends, and some servers log it with the time of its begin.
    private Timetable starts(double speed) {
        requests.sort(Comparator.comparing(Request::time)); // stable
        boolean wholeSeconds = requests.stream().allMatch(r -> r.time().nanos() == 0);
        long[] starts = new long[requests.size()];
        long origin = requests.getFirst().time().second();
        if (requests.getLast().time().second() - origin > LONGEST_S) {
            throw new IllegalArgumentException("its times are more than 100 years apart");
        }
        for (int first = 0, next; first < starts.length; first = next) {
            long second = requests.get(first).time().second();
            next = first + 1;
            while (next < starts.length && requests.get(next).time().second() == second) {
                next++;
            }
            for (int i = first; i < next; i++) {
                long within =
                        wholeSeconds
                                ? LogTime.SECOND_NANOS * (i - first) / (next - first)
                                : requests.get(i).time().nanos();
                starts[i] = (second - origin) * LogTime.SECOND_NANOS + within;
            }
        }
        long begin = starts[0];
        for (int i = 0; i < starts.length; i++) {
            starts[i] -= begin;
        }
        return Timetable.of(starts).faster(speed);
    }

    private Workload workload(
            Path file, Optional<Double> speed, Optional<Timetable> starts, Unread left) {
        var step = new Step("replay", "${method}", "${path}", Map.of(), "", List.of(), List.of());
        List<Map<String, String>> rows = requests.stream().map(Request::row).toList();
        return new Workload(
                List.of(new Journey("replay", 1, List.of(step))),
                new Data(rows, RowOrder.SEQUENTIAL, Optional.empty()),
                Optional.of(new Replay(file, speed.orElse(1.0), starts, left)));
    }
}
