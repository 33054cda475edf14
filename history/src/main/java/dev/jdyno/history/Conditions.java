package dev.jdyno.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.Query;

/// Translates a filter into SQL conditions.
final class Conditions {
    /// Columns in which a text is searched.
    private static final List<String> SEARCHED =
            List.of("plan", "verdict", "label", "branch", "commit_hash");

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> conditions = new ArrayList<>();
    private final int most;

    Conditions(Filter wanted) {
        wanted.plan().ifPresent(p -> add("plan = :plan", "plan", p));
        if (!wanted.kinds().isEmpty()) {
            conditions.add(
                    wanted.kinds().stream()
                            .map(k -> "'" + k.key() + "'")
                            .collect(Collectors.joining(", ", "kind IN (", ")")));
        }
        wanted.branch().ifPresent(b -> add("branch = :branch", "branch", b));
        wanted.since().ifPresent(t -> add("at_ms >= :since", "since", t.toEpochMilli()));
        wanted.text().ifPresent(t -> add(searched(), "text", pattern(t)));
        most = wanted.most();
    }

    private void add(String condition, String name, Object value) {
        conditions.add(condition);
        values.put(name, value);
    }

    private static String searched() {
        return SEARCHED.stream()
                .map(c -> "LOWER(" + c + ") LIKE :text ESCAPE '!'")
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    /// Returns a LIKE pattern for the text anywhere in a column, with special characters escaped.
    private static String pattern(String text) {
        String plain = text.toLowerCase(Locale.ROOT);
        for (String obeyed : List.of("!", "%", "_")) {
            plain = plain.replace(obeyed, "!" + obeyed);
        }
        return "%" + plain + "%";
    }

    String where() {
        return conditions.isEmpty()
                ? ""
                : conditions.stream().collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    String limit() {
        return most > 0 ? " LIMIT " + most : "";
    }

    Query bindTo(Query query) {
        values.forEach(query::bind);
        return query;
    }
}
