package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.reflect.ColumnName;

/// One stored result.
///
/// @param parts cost of one request by cause and by method, largest first
public record Entry(Row row, List<Figure> figures, List<Part> parts, List<Artifact> artifacts) {
    public Entry {
        figures = List.copyOf(figures);
        parts = List.copyOf(parts);
        artifacts = List.copyOf(artifacts);
    }

    /// The single values of a stored result. Each component is a column of the table `run`, by its
    /// name in snake case, and a key of `history.json` and of `history --json`.
    ///
    /// @param id the time in UTC and twelve hexadecimal digits, as in
    ///   `20261127-181502-3fa92b07c1de`; sorts by time. Earlier versions gave four digits
    /// @param plan name of the plan
    /// @param label the user's label
    /// @param seconds duration of the measurement
    /// @param commit of the service's repository, 40 or 64 hexadecimal digits; empty without one
    /// @param branch of that commit; empty if HEAD was detached
    /// @param verdict for a run or a diagnosis the bottleneck's name, for a comparison `better`,
    ///   `worse`, …, for a tuning the number of changes, for a guard `ok`, `regression` or
    ///   `unclear`
    /// @param bottleneck what limits the service; empty if it was not diagnosed
    /// @param valid whether the figures can be trusted
    /// @param folder folder of its files; empty if it has none
    /// @param commandLine the command line as typed, with secrets masked
    public record Row(
            String id,
            Kind kind,
            String plan,
            Optional<String> label,
            @ColumnName("at_ms") Instant at,
            double seconds,
            @ColumnName("commit_hash") Optional<String> commit,
            Optional<String> branch,
            @Nested Environment environment,
            String verdict,
            Optional<Bottleneck> bottleneck,
            boolean valid,
            Optional<String> folder,
            String commandLine) {
        /// The version of the tables with these columns: that of the newest `migration/V*.sql`.
        static final int VERSION = 2;

        public Row {
            Objects.requireNonNull(id);
            Objects.requireNonNull(kind);
            plan = Secrets.text(plan);
            label = label.map(Secrets::text);
            Objects.requireNonNull(at);
            Objects.requireNonNull(environment);
            Objects.requireNonNull(verdict);
            commandLine = Secrets.text(commandLine);
        }
    }

    /// The environment of the measurement.
    ///
    /// @param cpu the processor's model name
    /// @param jdk JDK version of the service; empty if no JVM was observed
    /// @param flags of its JVM, with secrets masked
    public record Environment(
            String host,
            int cores,
            String cpu,
            String kernel,
            Optional<String> jdk,
            List<String> flags) {
        public Environment {
            flags = Secrets.flags(flags);
        }

        /// True if both are the same machine; figures of different machines cannot be compared.
        public boolean isSameMachine(Environment other) {
            return host.equals(other.host) && cores == other.cores && cpu.equals(other.cpu);
        }
    }

    /// @param name key in the result's JSON, such as `qps`
    /// @param ci95 empty if unknown
    public record Figure(String name, String unit, double value, Optional<Interval> ci95) {
        private boolean isStorable() {
            return name != null && unit != null && Double.isFinite(value);
        }
    }

    /// A part of the cost of one request.
    ///
    /// @param name a cause's key, or `class.method`
    /// @param samples number of samples in the method; 0 for a cause
    public record Part(PartKind kind, String name, double ms, long samples) {
        private boolean isStorable() {
            return kind != null && name != null && Double.isFinite(ms);
        }
    }

    /// The kind of a part.
    public enum PartKind {
        /// A cause in the response-time breakdown.
        CAUSE("cause"),
        /// CPU time in a method of the application and in the JDK methods that it calls.
        METHOD("method"),
        /// Allocation by a method of the application and by the JDK methods that it calls. It has
        /// no time of its own; its samples are weighted by bytes.
        ALLOCATION("allocation");

        /// Name of the rest: all places without a part of their own.
        public static final String ELSEWHERE = "elsewhere";

        private final String key;

        PartKind(String key) {
            this.key = key;
        }

        /// The key in the store.
        public String key() {
            return key;
        }

        /// @throws IllegalArgumentException if another version wrote the key
        static PartKind of(String key) {
            return Arrays.stream(values())
                    .filter(k -> k.key.equals(key))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no kind of part: " + key));
        }
    }

    /// A file of the result.
    ///
    /// @param path below the result's folder
    public record Artifact(String path, long bytes, String sha256) {
        /// True if the content has the stored checksum.
        public boolean is(byte[] content) {
            return HexFormat.of().formatHex(Ids.sha256().digest(content)).equals(sha256);
        }
    }

    /// Checks an entry that was read from a file: a store rejects missing values and values that
    /// are not finite numbers.
    ///
    /// @throws IllegalArgumentException if the entry cannot be stored
    public void requireStorable() {
        Environment environment = row.environment();
        require(Ids.isTime(row.at()), "its time is " + row.at());
        require(Double.isFinite(row.seconds()), "its length is " + row.seconds() + " s");
        require(
                Stream.of(environment.host, environment.cpu, environment.kernel)
                        .allMatch(Objects::nonNull),
                "a part of its environment is missing");
        require(figures.stream().allMatch(Figure::isStorable), "a figure of it is no number");
        require(parts.stream().allMatch(Part::isStorable), "a part of it is no number");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    public Optional<Figure> figure(String name) {
        return figures.stream().filter(f -> f.name().equals(name)).findFirst();
    }

    /// Returns the same row with other figures, parts and files.
    Entry with(List<Figure> newFigures, List<Part> newParts, List<Artifact> newArtifacts) {
        return new Entry(row, newFigures, newParts, newArtifacts);
    }

    /// Returns the same entry with other files.
    public Entry with(List<Artifact> files) {
        return with(figures, parts, files);
    }

    public String id() {
        return row.id();
    }

    public Kind kind() {
        return row.kind();
    }

    public String plan() {
        return row.plan();
    }

    public Optional<String> label() {
        return row.label();
    }

    public Instant at() {
        return row.at();
    }

    public double seconds() {
        return row.seconds();
    }

    /// The commit of the service's repository; empty without one.
    public Optional<Commit> code() {
        return row.commit().map(hash -> new Commit(hash, row.branch()));
    }

    public Environment environment() {
        return row.environment();
    }

    public String verdict() {
        return row.verdict();
    }

    public Optional<Bottleneck> bottleneck() {
        return row.bottleneck();
    }

    public boolean valid() {
        return row.valid();
    }

    public Optional<String> folder() {
        return row.folder();
    }

    public String commandLine() {
        return row.commandLine();
    }
}
