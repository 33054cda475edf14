package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Rows of the store as values.
final class Rows {
    private Rows() {}

    /// Without figures, parts and artifacts.
    static Entry entry(ResultSet row) throws SQLException {
        String flags = row.getString("flags");
        Optional<String> branch = Optional.ofNullable(row.getString("branch"));
        return new Entry(
                row.getString("id"),
                Kind.of(row.getString("kind")).orElse(Kind.RUN),
                row.getString("plan"),
                Optional.ofNullable(row.getString("label")),
                Instant.ofEpochMilli(row.getLong("at_ms")),
                row.getDouble("seconds"),
                Optional.ofNullable(row.getString("commit_hash"))
                        .map(hash -> new Commit(hash, branch)),
                new Entry.Environment(
                        row.getString("host"),
                        row.getInt("cores"),
                        row.getString("cpu"),
                        row.getString("kernel"),
                        Optional.ofNullable(row.getString("jdk")),
                        flags.isEmpty() ? List.of() : List.of(flags.split("\n"))),
                row.getString("verdict"),
                Optional.ofNullable(row.getString("bottleneck")),
                row.getInt("valid") != 0,
                Optional.ofNullable(row.getString("folder")),
                row.getString("command_line"),
                List.of(),
                List.of(),
                List.of());
    }

    static Entry.Figure figure(ResultSet row) throws SQLException {
        return new Entry.Figure(
                row.getString("name"),
                row.getString("unit"),
                row.getDouble("value"),
                interval(row));
    }

    static Optional<Interval> interval(ResultSet row) throws SQLException {
        double lo = row.getDouble("lo");
        boolean none = row.wasNull();
        double hi = row.getDouble("hi");
        return none || row.wasNull() ? Optional.empty() : Optional.of(new Interval(lo, hi));
    }

    static Entry.Part part(ResultSet row) throws SQLException {
        return new Entry.Part(
                Entry.PartKind.of(row.getString("kind")),
                row.getString("name"),
                row.getDouble("ms"),
                row.getLong("samples"));
    }
}
