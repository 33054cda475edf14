package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
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
                Optional.ofNullable(row.getString("bottleneck")).map(Rows::bottleneck),
                row.getInt("valid") != 0,
                Optional.ofNullable(row.getString("folder")),
                row.getString("command_line"),
                List.of(),
                List.of(),
                List.of());
    }

    /// @throws UserError when it is none that this version knows
    private static Bottleneck bottleneck(String key) {
        return Bottleneck.of(key)
                .orElseThrow(() ->
                        UserError.target(
                                "the history has a result with the bottleneck " + key,
                                "this jdyno knows no such name; a newer one stored the result",
                                "update jdyno, or give --store another place"));
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
                row.getString("kind").equals(Entry.PartKind.CAUSE.key())
                        ? Entry.PartKind.CAUSE
                        : Entry.PartKind.METHOD,
                row.getString("name"),
                row.getDouble("ms"),
                row.getLong("samples"));
    }
}
