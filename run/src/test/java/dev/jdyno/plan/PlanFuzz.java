package dev.jdyno.plan;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.UserError;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads a plan file. A valid plan must be written as a valid plan.
public final class PlanFuzz {
    private PlanFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Plan plan;
        try {
            plan = PlanFile.parse("plan.yaml", "plan", ForeignText.decode(input));
        } catch (UserError | Malformed refused) {
            return;
        }
        PlanFile.parse("plan.yaml", "plan", PlanText.of(plan));
    }

    public static List<byte[]> seeds() {
        return List.of(
                        """
                        name: shop
                        url: http://127.0.0.1:8080/item?id=1
                        method: POST
                        headers: {Accept: text/html, X-A: "b\\u0001"}
                        body: "a b"
                        target: {pid: 4711}
                        warmup: {atLeast: 5s, atMost: 30s, concurrency: 4}
                        rounds: {length: 6s, settle: 500ms, concurrency: [1, 2, 4], maxConcurrency: 512}
                        evidence: {window: 5s, dumps: 10}
                        limits: {errors: 1%, start: 10s, request: 5s}
                        look: {profile: true, stages: [com.acme.Foo.bar], liveCount: no}
                        prove: {relay: 127.0.0.1:8081}
                        """,
                        """
                        url: https://shop.test/
                        target: {launch: "java -jar app.jar"}
                        goal: {keep: "p99<100ms,errors<0.1%", budget: 5m, precision: 5%, start: 450/s}
                        """,
                        """
                        url: http://127.0.0.1/
                        workload:
                          journeys:
                            - name: &n buy
                              steps: &s
                                - path: /login
                                  check: {status: 200}
                            - {name: *n, steps: *s}
                        """)
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
