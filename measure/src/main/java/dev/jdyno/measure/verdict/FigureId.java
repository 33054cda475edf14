package dev.jdyno.measure.verdict;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;
import java.util.stream.Stream;

/// Which of the figures of a load is meant. Its {@link #id} is made, and read again, only here.
public sealed interface FigureId {
    /// The text form, as in `result.json`: `response-time`, `part:cpu`, `pool:NAME`.
    String id();

    /// The unit of all its values.
    String unit();

    /// The same in words.
    String words();

    /// A figure of the whole service, client included.
    enum Total implements FigureId {
        IN_FLIGHT("in-flight", "requests"),
        THROUGHPUT("throughput", "1/s"),
        RESPONSE_TIME("response-time", "ms"),
        /// Of the process.
        CPU("cpu", "cores"),
        /// Of the threads that work for requests, by the clock.
        CPU_OF_THREADS("cpu-of-threads", "cores"),
        CPU_BY_SAMPLES("cpu-by-samples", "cores"),
        /// By the kernel.
        RUN_QUEUE("run-queue", "threads"),
        RUN_QUEUE_OF_REQUESTS("run-queue-of-requests", "threads");

        private final String id;
        private final String unit;

        Total(String id, String unit) {
            this.id = id;
            this.unit = unit;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public String unit() {
            return unit;
        }

        @Override
        public String words() {
            return id.replace('-', ' ');
        }
    }

    /// Time of a request that it spends on one cause.
    record Part(Cause cause) implements FigureId {
        private static final String PREFIX = "part:";

        @Override
        public String id() {
            return PREFIX + cause.key();
        }

        @Override
        public String unit() {
            return "ms";
        }

        @Override
        public String words() {
            return "part " + cause.key();
        }
    }

    /// Busy threads of a pool.
    record Pool(String name) implements FigureId {
        private static final String PREFIX = "pool:";

        @Override
        public String id() {
            return PREFIX + name;
        }

        @Override
        public String unit() {
            return "threads";
        }

        @Override
        public String words() {
            return "pool " + name;
        }
    }

    /// Exceptions of one class and place, in the order of the insight.
    record Exceptions(int index) implements FigureId {
        private static final String PREFIX = "exceptions:";

        @Override
        public String id() {
            return PREFIX + index;
        }

        @Override
        public String unit() {
            return "1/s";
        }

        @Override
        public String words() {
            return "exceptions " + index;
        }
    }

    /// The same exceptions in one request.
    record ExceptionsPerRequest(int index) implements FigureId {
        private static final String PREFIX = "exceptions-per-request:";

        @Override
        public String id() {
            return PREFIX + index;
        }

        @Override
        public String unit() {
            return "1/request";
        }

        @Override
        public String words() {
            return "exceptions per request " + index;
        }
    }

    /// A figure of a later version.
    record Other(String id, String unit) implements FigureId {
        @Override
        public String words() {
            return id;
        }
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
