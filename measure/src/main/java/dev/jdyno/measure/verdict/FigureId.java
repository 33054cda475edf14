package dev.jdyno.measure.verdict;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;
import java.util.stream.Stream;

/// Identifies one of the figures of a load. Only this file writes and reads its {@link #id}.
public sealed interface FigureId {
    /// A figure of the whole service, client included.
    enum Total implements FigureId {
        IN_FLIGHT("in-flight", "requests"),
        THROUGHPUT("throughput", "1/s"),
        RESPONSE_TIME("response-time", "ms"),
        /// CPU of the process.
        CPU("cpu", "cores"),
        /// CPU of the threads that work for requests, by the kernel's clock of their CPU time.
        CPU_OF_THREADS("cpu-of-threads", "cores"),
        CPU_BY_SAMPLES("cpu-by-samples", "cores"),
        /// Threads in the run queue, counted by the kernel.
        RUN_QUEUE("run-queue", "threads"),
        RUN_QUEUE_OF_REQUESTS("run-queue-of-requests", "threads");

        private final String id;
        private final String unit;

        Total(String id, String unit) {
            this.id = id;
            this.unit = unit;
        }
    }

    /// Time of a request due to one cause.
    record Part(Cause cause) implements FigureId {
        private static final String PREFIX = "part:";
    }

    /// Busy threads of a pool.
    record Pool(String name) implements FigureId {
        private static final String PREFIX = "pool:";
    }

    /// Exceptions of one class and place, in the order of the insight.
    record Exceptions(int index) implements FigureId {
        private static final String PREFIX = "exceptions:";
    }

    /// The same exceptions per request.
    record ExceptionsPerRequest(int index) implements FigureId {
        private static final String PREFIX = "exceptions-per-request:";
    }

    /// A figure from a later version.
    record Other(String id, String unit) implements FigureId {}

    /// The text form, as in `result.json`: `response-time`, `part:cpu`, `pool:NAME`.
    default String id() {
        return switch (this) {
            case Total total -> total.id;
            case Part(Cause cause) -> Part.PREFIX + cause.key();
            case Pool(String name) -> Pool.PREFIX + name;
            case Exceptions(int index) -> Exceptions.PREFIX + index;
            case ExceptionsPerRequest(int index) -> ExceptionsPerRequest.PREFIX + index;
            case Other(String id, String _) -> id;
        };
    }

    /// The unit of all its values.
    default String unit() {
        return switch (this) {
            case Total total -> total.unit;
            case Part _ -> "ms";
            case Pool _ -> "threads";
            case Exceptions _ -> "1/s";
            case ExceptionsPerRequest _ -> "1/request";
            case Other(String _, String unit) -> unit;
        };
    }

    /// The figure in words.
    default String words() {
        return switch (this) {
            case Total total -> total.id.replace('-', ' ');
            case Part(Cause cause) -> "part " + cause.key();
            case Pool(String name) -> "pool " + name;
            case Exceptions(int index) -> "exceptions " + index;
            case ExceptionsPerRequest(int index) -> "exceptions per request " + index;
            case Other(String id, String _) -> id;
        };
    }

    /// Reads {@link #id}.
    ///
    /// @param unit of a figure that this version does not know
    static FigureId of(String id, String unit) {
        if (id.startsWith(Pool.PREFIX)) {
            return new Pool(id.substring(Pool.PREFIX.length()));
        }
        return Stream.concat(
                        Stream.<FigureId>of(Total.values()),
                        Stream.of(Cause.values()).map(Part::new))
                .filter(f -> f.id().equals(id))
                .findFirst()
                .or(() -> index(id, Exceptions.PREFIX).map(Exceptions::new))
                .or(() -> index(id, ExceptionsPerRequest.PREFIX).map(ExceptionsPerRequest::new))
                .orElseGet(() -> new Other(id, unit));
    }

    private static Optional<Integer> index(String id, String prefix) {
        return Optional.of(id)
                .filter(i -> i.startsWith(prefix))
                .map(i -> i.substring(prefix.length()))
                .filter(i -> i.matches("0|[1-9]\\d{0,5}"))
                .map(Integer::valueOf);
    }
}
