package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import dev.jdyno.measure.thread.MethodName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanTextTest {
    static Stream<Plan> plans() {
        URI url = URI.create("http://127.0.0.1:8080/a?b=c&d=%22");
        var none = new Plan.TargetPlan.None();
        return Stream.of(
                Plan.of("plain", url, new Plan.TargetPlan.None()),
                Plan.of("pid", url, new Plan.TargetPlan.Attach(4711)),
                Plan.of("grpc", calls(GrpcTerms.DEFAULT), none, Plan.Course.DEFAULT),
                Plan.of(
                        "grpc with all",
                        calls(
                                new GrpcTerms(
                                        Optional.of(Path.of("/etc/my shop.pb")),
                                        Optional.of(Duration.ofMillis(1500)),
                                        true,
                                        3)),
                        none,
                        Plan.Course.DEFAULT),
                Plan.of(
                        "observed",
                        url,
                        new Plan.TargetPlan.Observed(
                                "[fd00::1]:4711",
                                new Selector.Name("shop.jar"),
                                Path.of("/etc/jdyno/token"))),
                Plan.of(
                        "tls",
                        tls(new Plan.Tls(true, Optional.empty())),
                        none,
                        Plan.Course.DEFAULT),
                Plan.of(
                        "trusted",
                        tls(new Plan.Tls(false, Optional.of(Path.of("/etc/my \"ca\".pem")))),
                        none,
                        Plan.Course.DEFAULT),
                Plan.of("goal", url, new Plan.TargetPlan.None())
                        .withSearch(
                                new Plan.GoalSearch(
                                        GoalText.goals("p99<100ms,errors<0.1%"),
                                        Optional.of(Duration.ofMinutes(5)),
                                        0.1,
                                        OptionalDouble.of(450.5))),
                Plan.of("relayed", url, new Plan.TargetPlan.Launch("app --backend {relay}"))
                        .withProving(new Plan.Proving(true, Optional.of("127.0.0.1:8081")))
                        .withInside(
                                new InsidePlan(
                                        true,
                                        List.of(
                                                new MethodName("com.acme.Foo", "bar"),
                                                new MethodName("com.acme.Foo$In", "<init>")),
                                        Optional.of(java.nio.file.Path.of("my frames.txt")),
                                        false,
                                        MetricsPlan.ofUrl("http://127.0.0.1:9090/metrics"))),
                Plan.of("built", url, new Plan.TargetPlan.Launch("java -jar a.jar {port}"))
                        .withBuilds(
                                new Plan.Builds(
                                        Optional.of("java -jar 'b \"c\".jar' {port}"),
                                        Optional.of("./mvnw -q package # \"{x}\""))),
                watched(url, new Until.Events(20)),
                watched(url, new Until.Time(Duration.ofMillis(1500))),
                Plan.of("proven", url, new Plan.TargetPlan.None())
                        .withProving(new Plan.Proving(true, Optional.empty())),
                Plan.of(
                        "hostile: \"name\" # {x}",
                        new Plan.Request(
                                url,
                                "POST",
                                Map.of("X-Quote", "a \"b\" \\ c: d", "Accept", "*/*"),
                                Optional.of("line 1\nline 2\t\"end\""),
                                Optional.empty(),
                                Plan.Tls.DEFAULT,
                                Optional.empty(),
                                Optional.empty(),
                                new ReplyRules(
                                        true,
                                        Optional.of(new Until.Text("[DONE] \"x\" # {y}")),
                                        true,
                                        Optional.of("https://tempo/trace/{id}?a=%22b%22"))),
                        new Plan.TargetPlan.Launch("java -Dx=\"1 2\" -jar 'a b.jar'"),
                        new Plan.Course(
                                new Plan.Warmup(Duration.ofMillis(1500), Duration.ofSeconds(9), 3),
                                new Plan.Rounds(
                                        Duration.ofSeconds(3),
                                        Duration.ofMillis(250),
                                        List.of(1, 5),
                                        77),
                                new Plan.Evidence(Duration.ofSeconds(2), 11),
                                new Plan.Limits(
                                        0.03, Duration.ofSeconds(9), Duration.ofSeconds(4)))));
    }

    private static Plan.Request calls(GrpcTerms terms) {
        return new Plan.Request(
                URI.create("grpc://127.0.0.1:9090/shop.Prices/price"),
                "GET",
                Map.of("tenant", "blue"),
                Optional.of("{\"id\": 1}"),
                Optional.empty(),
                Plan.Tls.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                ReplyRules.NONE,
                terms);
    }

    private static Plan watched(URI url, Until until) {
        return Plan.of(
                "watched",
                new Plan.Request(
                        url,
                        "GET",
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Plan.Tls.DEFAULT,
                        Optional.empty(),
                        Optional.empty(),
                        new ReplyRules(false, Optional.of(until), true, Optional.empty())),
                new Plan.TargetPlan.None(),
                Plan.Course.DEFAULT);
    }

    private static Plan.Request tls(Plan.Tls trust) {
        return new Plan.Request(
                URI.create("https://127.0.0.1:8443/"),
                "GET",
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                trust,
                Optional.empty(),
                Optional.empty(),
                ReplyRules.NONE);
    }

    @ParameterizedTest
    @MethodSource("plans")
    void writtenPlanIsReadBackUnchanged(Plan plan) {
        assertThat(PlanFile.parse("plan.yaml", "other", PlanText.of(plan))).isEqualTo(plan);
    }

    @Test
    void writtenWorkloadIsReadBackUnchanged(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("users.csv"), "name\nann\nbob\n");
        Plan plan = parsed(folder, JOURNEYS);

        assertThat(parsed(folder, PlanText.of(plan))).isEqualTo(plan);
    }

    @Test
    void writtenReplayKeepsTheNameOfItsLog(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("a.log"),
                "::1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5\n");
        Plan plan = parsed(folder, "url: http://h:1/\nworkload: {replay: {file: a.log}}\n");

        assertThat(PlanText.of(plan)).contains("a.log");
        assertThat(parsed(folder, PlanText.of(plan))).isEqualTo(plan);
    }

    private static Plan parsed(Path folder, String text) {
        return PlanFile.parse(folder.resolve("plan.yaml").toString(), "plan", text);
    }

    private static final String JOURNEYS =
            """
            url: http://127.0.0.1:8080/
            workload:
              journeys:
                - name: buy
                  weight: 2.5
                  steps:
                    - path: /login
                      method: POST
                      headers: {X-Quote: 'a "b"'}
                      body: '{"user": "${name}"}'
                      check: {status: 201, contains: 'a: b', json: /a=b, bytes: 3, header: x=y}
                      take: {token: json /token, place: header Location}
                    - path: /jobs
                      poll: {path: '/jobs/${place}', until: {json: /s=done}, every: 20ms, within: 3s}
                - steps: [{path: /}]
              data: {file: users.csv, order: random}
            """;
}
