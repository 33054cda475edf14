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
/// @param parts what one request costs by cause and by method, largest first
public record Entry(Row row, List<Figure> figures, List<Part> parts, List<Artifact> artifacts) {
    public Entry {
        figures = List.copyOf(figures);
        parts = List.copyOf(parts);
        artifacts = List.copyOf(artifacts);
    }

    /// What is stored once of a result. Each component is a column of the table `run`, by its name
    /// in snake case, a key of `history.json`, and a key of `history --json`.
    ///
    /// @param id the time in UTC and four digits, as in `20261127-181502-3fa9`; sorts by time
    /// @param plan its name
    /// @param label what a user called it
    /// @param seconds it took
    /// @param commit of the service's repository, 40 or 64 hexadecimal digits; empty where there is
    ///   none
    /// @param branch of that commit; empty where HEAD was detached
    /// @param verdict the bottleneck's name of a run or a diagnosis, `better`, `worse`, … of a
    ///   comparison, the number of changes of a tuning, `ok`, `regression`, `unclear` of a guard
    /// @param bottleneck what limits the service; empty where nothing looked into it
    /// @param valid whether the figures can be trusted
    /// @param folder its files; empty where it has none
    /// @param commandLine as it was typed; secrets in it are masked
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
        /// The version of the tables that have these columns: that of the newest
        /// `migration/V*.sql`.
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

    /// Where and with what it was measured.
    ///
    /// @param cpu the processor's model name
    /// @param jdk of the service; empty where no JVM was watched
    /// @param flags of its JVM; secrets in them are masked
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

        /// Figures of different machines do not compare.
        public boolean isSameMachine(Environment other) {
            return host.equals(other.host) && cores == other.cores && cpu.equals(other.cpu);
        }
    }

    /// @param name as in the result's JSON, such as `qps`
    /// @param ci95 empty where none is known
    public record Figure(String name, String unit, double value, Optional<Interval> ci95) {
        private boolean isStorable() {
            return name != null && unit != null && Double.isFinite(value);
        }
    }

    /// ms of one request.
    ///
    /// @param name a cause's key, or `class.method`
    /// @param samples that found the method there; 0 of a cause
    public record Part(PartKind kind, String name, double ms, long samples) {
        private boolean isStorable() {
            return kind != null && name != null && Double.isFinite(ms);
        }
    }

    /// What a part is.
    public enum PartKind {
        /// Of the response-time breakdown.
        CAUSE("cause"),
        /// CPU time in a method of the application, with what it calls in the JDK.
        METHOD("method"),
        /// What a method of the application allocates, with what it calls in the JDK. It takes no
        /// time of its own; its samples count by their bytes.
        ALLOCATION("allocation");

        /// Name of all places together that have no part of their own.
        public static final String ELSEWHERE = "elsewhere";

        private final String key;

        PartKind(String key) {
            this.key = key;
        }

        /// As it is stored.
        public String key() {
            return key;
        }

        /// @throws IllegalArgumentException if the key is of another version
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
        /// Whether a file's content is the one that was stored.
        public boolean is(byte[] content) {
            return HexFormat.of().formatHex(Ids.sha256().digest(content)).equals(sha256);
        }
    }

    /// Checks an entry that was read from a file: a store refuses what is missing and what is no
    /// number.
    ///
    /// @throws IllegalArgumentException where no store can take it
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

    /// The same with what is kept beside its row.
    Entry with(List<Figure> newFigures, List<Part> newParts, List<Artifact> newArtifacts) {
        return new Entry(row, newFigures, newParts, newArtifacts);
    }

    /// The same with its files.
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

    /// The commit of the service's repository; empty where there is none.
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
