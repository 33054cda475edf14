package dev.jdyno.load.grpc;

import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.request.Template;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Whether the calls that a session is to send are messages of the methods that they name. Checked
/// before anything is sent, with each row of the data.
public final class CallCheck {
    private CallCheck() {}

    /// Adds what is wrong.
    ///
    /// @param where the request stands that is sent without a workload
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
            return; // known when it is sent
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
                return; // the others are probably wrong in the same way
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
