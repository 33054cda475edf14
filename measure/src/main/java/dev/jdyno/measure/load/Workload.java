package dev.jdyno.measure.load;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Validity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The behaviour of a load's users, beyond repeating one request: journeys of several requests,
/// with weights, checks, values carried from a reply into later requests, and data.
///
/// Texts of a step may contain `${name}`. The name is a column of the data row, a value that an
/// earlier step took from its reply, or `user` (the number of the user, from 0).
///
/// @param replay the access log whose requests are the rows; empty when nothing is replayed
public record Workload(List<Journey> journeys, Data data, Optional<Replay> replay) {
    public Workload {
        journeys = List.copyOf(journeys);
        if (journeys.isEmpty()) {
            throw new IllegalArgumentException("a workload needs a journey");
        }
        replay.ifPresent(r -> r.mustHave(data.rows().size()));
    }

    public Workload(List<Journey> journeys, Data data) {
        this(journeys, data, Optional.empty());
    }

    public Workload(List<Journey> journeys, List<Map<String, String>> rows, RowOrder order) {
        this(journeys, new Data(rows, order, Optional.empty()));
    }

    /// The timetable of a replayed access log with its own start times; empty for other workloads.
    public Optional<Timetable> timetable() {
        return replay.flatMap(Replay::starts);
    }

    /// The warning that a part of the replayed log is missing; empty if the log is complete.
    public Optional<Validity.Warning> warning() {
        return replay.flatMap(r -> r.unread().incomplete())
                .map(i -> new Validity.Warning(Incomplete.WARNING, i.says(), false));
    }

    /// The same requests in their order, without their start times, so that any load can send them.
    public Workload atAnyTime() {
        return new Workload(journeys, data, replay.map(Replay::atAnyTime));
    }

    /// Rows of named values; a journey gets a row when it starts.
    ///
    /// @param order rule by which a journey gets its row
    /// @param file source of the rows
    public record Data(List<Map<String, String>> rows, RowOrder order, Optional<Path> file) {
        public static final Data NONE = new Data(List.of(), RowOrder.SEQUENTIAL, Optional.empty());

        public Data {
            rows = List.copyOf(rows);
        }
    }

    /// An access log to be sent again. If the log has an error status (≥ 400) for a request, that
    /// status is expected again.
    ///
    /// @param speed replay speed ÷ speed of the log
    /// @param starts start time of each request at that speed; if empty, the load decides the pace
    public record Replay(Path file, double speed, Optional<Timetable> starts, Unread unread) {
        private void mustHave(int rows) {
            if (starts.isPresent() && starts.get().size() != rows) {
                throw new IllegalArgumentException("each request needs a start");
            }
        }

        private Replay atAnyTime() {
            return new Replay(file, speed, Optional.empty(), unread);
        }
    }

    /// Lines that are not requests.
    ///
    /// @param lines total number of lines of the file
    /// @param count number of lines that could not be read
    /// @param first some of these lines, with their line numbers
    /// @param incomplete why the file was not read to its end; empty when it was
    public record Unread(
            long lines, long count, List<String> first, Optional<Incomplete> incomplete) {
        public Unread {
            first = first.stream().map(Secrets::text).toList();
        }

        public Unread(long lines, long count, List<String> first) {
            this(lines, count, first, Optional.empty());
        }
    }

    public enum RowOrder {
        /// Rows in order over all users, repeated from the first row.
        SEQUENTIAL,
        RANDOM,
        /// Each user always gets the same row.
        UNIQUE
    }

    /// @param weight relative frequency of the journey
    public record Journey(String name, double weight, List<Step> steps) {
        public Journey {
            steps = List.copyOf(steps);
            if (!(weight > 0) || steps.isEmpty()) {
                throw new IllegalArgumentException(
                        "journey " + name + " needs a weight > 0 and a step");
            }
        }
    }

    /// Values of headers may contain placeholders that data fill, so they are checked when they are
    /// sent.
    private static Map<String, String> named(Map<String, String> headers) {
        headers.keySet().forEach(HttpWords::headerName);
        return Map.copyOf(headers);
    }

    /// One request and the expectations for its reply.
    ///
    /// @param name name of its statistics
    /// @param poll for an asynchronous operation, whose step ends when its effect is visible; if
    ///   empty, the step ends when its reply has arrived
    public record Step(
            String name,
            String method,
            String path,
            Map<String, String> headers,
            String body,
            List<Check> checks,
            List<Take> takes,
            Optional<Poll> poll) {
        public Step {
            headers = named(headers);
            checks = List.copyOf(checks);
            takes = List.copyOf(takes);
        }

        public Step(
                String name,
                String method,
                String path,
                Map<String, String> headers,
                String body,
                List<Check> checks,
                List<Take> takes) {
            this(name, method, path, headers, body, checks, takes, Optional.empty());
        }

        /// The same step, ended by an effect instead of its reply.
        public Step withPoll(Poll effect) {
            return new Step(name, method, path, headers, body, checks, takes, Optional.of(effect));
        }
    }

    /// How to wait for the effect of an asynchronous operation (E25): this request is repeated
    /// until its reply fulfils every condition. Any other reply means "not yet", whatever its
    /// status.
    ///
    /// @param until conditions for the reply; at least one
    /// @param every pause between a reply and the next poll. An effect is detected at most this
    ///   time after it appeared.
    /// @param within time from the operation's intended start; a later effect is an error of kind
    ///   `effect-timeout`
    public record Poll(
            String method,
            String path,
            Map<String, String> headers,
            String body,
            List<Check> until,
            Duration every,
            Duration within) {
        public static final Duration EVERY = Duration.ofMillis(100);
        public static final Duration WITHIN = Duration.ofSeconds(30);

        public Poll {
            headers = named(headers);
            until = List.copyOf(until);
            if (until.isEmpty()) {
                throw new IllegalArgumentException("a poll needs a condition to wait for");
            }
            if (every.isNegative() || !within.isPositive()) {
                throw new IllegalArgumentException("a poll's times must be > 0");
            }
        }
    }

    /// A condition for a reply; a reply that does not fulfil it is an error of kind `check`.
    public sealed interface Check {
        /// The reply has this status. It is then good even if the status is not 2xx or 3xx.
        record Status(int status) implements Check {}

        record Contains(String text) implements Check {}

        /// @param pointer RFC 6901, e.g. `/order/0/id`
        record JsonEquals(String pointer, String value) implements Check {}

        record BodyAtLeast(long bytes) implements Check {}

        /// @param name in upper or lower case
        record HeaderEquals(String name, String value) implements Check {}
    }

    /// Stores a value of the reply under a name; a reply without it is an error of kind `check`.
    public sealed interface Take {
        String name();

        record Header(String name, String header) implements Take {}

        /// The first group of the first match in the body.
        record Regex(String name, Pattern pattern) implements Take {}

        record Json(String name, String pointer) implements Take {}
    }
}
