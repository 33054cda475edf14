package dev.jdyno.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.Query;

/// A filter as SQL.
final class Conditions {
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> conditions = new ArrayList<>();
    private final int most;

    Conditions(Filter wanted) {
        wanted.plan().ifPresent(p -> add("plan = :plan", "plan", p));
        wanted.kind().ifPresent(k -> add("kind = :kind", "kind", k.key()));
        wanted.branch().ifPresent(b -> add("branch = :branch", "branch", b));
        wanted.since().ifPresent(t -> add("at_ms >= :since", "since", t.toEpochMilli()));
        most = wanted.most();
    }

    private void add(String condition, String name, Object value) {
        conditions.add(condition);
        values.put(name, value);
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
