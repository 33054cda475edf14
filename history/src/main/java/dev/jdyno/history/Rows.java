package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/// Converts rows of the store into values.
final class Rows {
    private Rows() {}

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
