package dev.jdyno.load.grpc;

import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.request.Template;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks whether the request of each call is a valid message of its method. This is done before
/// the load begins, with each row of the data.
public final class CallCheck {
    private CallCheck() {}

    /// Adds each mistake to the problems.
    ///
    /// @param where position of the request that is sent if the spec has no workload
    public static void check(LoadSpec spec, Schema schema, String where, Problems problems) {
        if (spec.workload().isEmpty()) {
            RequestParts one = spec.parts();
            tried(where, problems, () -> schema.message(one.target(), one.body().text()));
            return;
        }
        Workload workload = spec.workload().get();
        List<Map<String, String>> rows = workload.data().rows();
        for (Workload.Journey journey : workload.journeys()) {
            for (Workload.Step step : journey.steps()) {
                check(step.name(), step.path(), step.body(), rows, schema, problems);
                step.poll()
                        .ifPresent(p ->
                                check(
                                        step.name() + " poll",
                                        p.path(),
                                        p.body(),
                                        rows,
                                        schema,
                                        problems));
            }
        }
    }

    private static void check(
            String step,
            String path,
            String body,
            List<Map<String, String>> rows,
            Schema schema,
            Problems problems) {
        var method = new Template(path);
        var json = new Template(body);
        Set<String> columns = rows.isEmpty() ? Set.of() : rows.getFirst().keySet();
        if (!columns.containsAll(method.names())) {
            return; // the method is known only when the call is sent
        }
        if (!columns.containsAll(json.names())) {
            if (method.isConstant()) {
                tried(step, problems, () -> schema.method(method.fill(Map.of())));
            }
            return;
        }
        if (method.isConstant() && json.isConstant()) {
            tried(step, problems, () -> schema.message(method.fill(Map.of()), json.fill(Map.of())));
            return;
        }
        for (int i = 0; i < rows.size(); i++) {
            Map<String, String> row = rows.get(i);
            String where = step + ", row " + (i + 1) + " of the data";
            if (!tried(where, problems, () -> schema.message(method.fill(row), json.fill(row)))) {
                return; // the other rows probably have the same mistake
            }
        }
    }

    private static boolean tried(String where, Problems problems, Runnable encoding) {
        try {
            encoding.run();
            return true;
        } catch (IllegalArgumentException e) {
            problems.add(
                    where,
                    String.valueOf(e.getMessage()),
                    "write a method and the JSON of its message, as grpcurl takes them");
            return false;
        }
    }
}
