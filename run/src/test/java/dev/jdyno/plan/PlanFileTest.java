package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
    @Test
    void everyKeyOfAPlanIsRead() {
        Plan plan =
                PlanFile.parse(
                        "plan.yaml",
                        "plan",
                        """
                        name: shop
                        url: http://127.0.0.1:8080/item?id=1
                        method: post
                        headers: {Zebra: z, Accept: text/html, Mid: m, Host2: h, B: b}
                        body: hello
                        target:
                          launch: java -jar app.jar
                        warmup: {atLeast: 2s, atMost: 9s, concurrency: 4}
                        rounds: {length: 5s, settle: 500ms, concurrency: [4, 1, 2], maxConcurrency: 64}
                        evidence: {window: 3s, dumps: 10}
                        limits: {errors: 2%, start: 20s, request: 5s}
                        """);

        assertThat(plan.name()).isEqualTo("shop");
        assertThat(plan.url()).hasToString("http://127.0.0.1:8080/item?id=1");
        assertThat(plan.method()).isEqualTo("POST");
        assertThat(plan.headers().keySet())
                .as("in the order written")
                .containsExactly("Zebra", "Accept", "Mid", "Host2", "B");
        assertThat(plan.headers()).containsEntry("Accept", "text/html");
        assertThat(plan.body()).contains("hello");
        assertThat(plan.target()).isEqualTo(new Plan.TargetPlan.Launch("java -jar app.jar"));
        assertThat(plan.warmup())
                .isEqualTo(new Plan.Warmup(Duration.ofSeconds(2), Duration.ofSeconds(9), 4));
        assertThat(plan.rounds())
                .isEqualTo(
                        new Plan.Rounds(
                                Duration.ofSeconds(5),
                                Duration.ofMillis(500),
                                List.of(1, 2, 4),
                                64));
        assertThat(plan.evidence()).isEqualTo(new Plan.Evidence(Duration.ofSeconds(3), 10));
        assertThat(plan.limits())
                .isEqualTo(new Plan.Limits(0.02, Duration.ofSeconds(20), Duration.ofSeconds(5)));
    }

    @Test
    void readsCallFromGrpcKey(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("shop.yaml");
        Files.writeString(
                file,
                """
                url: grpcs://shop:9443
                grpc:
                  method: shop.Prices/price
                  data: '{"id": 1}'
                  proto: shop.pb
                  deadline: 500ms
                  gzip: true
                  streams: 25
                """);

        Plan plan = PlanFile.read(file, Environment.NONE);

        assertThat(plan.url()).hasToString("grpcs://shop:9443/shop.Prices/price");
        assertThat(plan.body()).contains("{\"id\": 1}");
        assertThat(plan.request().grpc())
                .isEqualTo(
                        new GrpcTerms(
                                Optional.of(folder.resolve("shop.pb")),
                                Optional.of(Duration.ofMillis(500)),
                                true,
                                25));
    }

    @Test
    void mistakesOfTheKeyGrpcAreReportedTogether() {
        var thrown =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                PlanFile.parse(
                                        "plan.yaml",
                                        "plan",
                                        """
                                        url: http://shop:9443/
                                        body: a
                                        grpc: {method: price, data: b, deadline: 0s, streams: 0, gip: 1}
                                        """));

        assertThat(thrown.why())
                .contains("the URL is none of gRPC")
                .contains("package.Service/Method")
                .contains("body is given, too")
                .contains("deadline")
                .contains("streams")
                .contains("'gzip'");
    }

    @Test
    void readsPortAndTokenFileOfAgents(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("p.yaml"),
                        "url: http://a/\nagents: {hosts: [lg1, lg2:99], tokenFile: token}\n");

        Plan plan = PlanFile.read(file, Environment.NONE);

        assertThat(plan.agents())
                .contains(new Plan.Agents(List.of("lg1:4711", "lg2:99"), folder.resolve("token")));
        assertThat(PlanFile.parse("p", "p", PlanText.of(plan)).agents()).isEqualTo(plan.agents());
    }

    @Test
    void allMistakesOfAgentsAreReported() {
        assertThatThrownBy(() ->
                        PlanFile.parse("p", "p", "url: http://a/\nagents: {hosts: [\"a b\"]}\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 mistakes");
    }

    @Test
    void readsTrustedCertificatesNextToPlan(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("plan.yaml"),
                        "url: https://127.0.0.1:8443/\ntls: {cacert: ca.pem}\n");

        assertThat(PlanFile.read(file, Environment.NONE).tls())
                .isEqualTo(
                        new Plan.Tls(
                                false, Optional.of(folder.toAbsolutePath().resolve("ca.pem"))));
        assertThat(PlanFile.parse("p", "p", "url: https://a/\ntls: {insecure: yes}\n").tls())
                .isEqualTo(new Plan.Tls(true, Optional.empty()));
    }

    @Test
    void planWithOnlyAUrlHasEveryDefault() {
        Plan plan = PlanFile.parse("p.yaml", "p", "url: http://localhost:1/");

        assertThat(plan)
                .isEqualTo(
                        Plan.of(
                                "p",
                                PlanValues.url("http://localhost:1/"),
                                new Plan.TargetPlan.None()));
    }

    @Test
    void reportsAllMistakesAtOnceWithLineAndKey() {
        var error =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                PlanFile.parse(
                                        "plan.yaml",
                                        "plan",
                                        """
                                        url: localhost:8080
                                        warmup:
                                          atMost: ten
                                        ronds: {length: 5s}
                                        target: {pid: abc}
                                        """));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error.what()).isEqualTo("the plan plan.yaml has 4 mistakes");
        assertThat(error.why())
                .contains("plan.yaml:1 url: 'localhost:8080' does not start with http://")
                .contains("plan.yaml:3 warmup.atMost: not a duration: 'ten'")
                .contains("plan.yaml:4 ronds: unknown key")
                .contains("did you mean 'rounds'?")
                .contains("plan.yaml:5 target.pid: 'abc' is not a number");
    }

    @Test
    void aBuildNeedsAServiceThatIsLaunched() {
        String url = "url: http://127.0.0.1:8080/\nbuild: make\n";
        Plan plan = PlanFile.parse("p.yaml", "p", url + "target: {launch: \"java -jar a.jar\"}\n");
        assertThat(plan.builds().command()).contains("make");
        assertThatThrownBy(() -> PlanFile.parse("p.yaml", "p", url + "target: {pid: 1}\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("build");
    }

    @Test
    void reportsLineThatIsNotYaml() {
        assertThatThrownBy(() -> PlanFile.parse("plan.yaml", "plan", "url: x\n\tname: y\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("plan.yaml:2");
    }

    @Test
    void emptyPlanGivesExample() {
        assertThatThrownBy(() -> PlanFile.parse("plan.yaml", "plan", "# nothing\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("empty");
    }

    @Test
    void missingFileIsUsageError() {
        assertThatThrownBy(() -> PlanFile.read(Path.of("/nonexistent/plan.yaml"), Environment.NONE))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
    }

    @Test
    void refusesACommandAndAPidTogether() {
        assertThatThrownBy(() ->
                        PlanFile.parse(
                                "p.yaml", "p", "url: http://h/\ntarget: {launch: java, pid: 3}\n"))
                .hasMessageContaining("both launch and pid");
    }

    @Test
    void aTargetOnAnotherHostIsObservedByItsAgent() {
        Plan plan =
                PlanFile.parse(
                        "p.yaml",
                        "p",
                        "url: http://h/\ntarget: {observe: 'app1:port=80', tokenFile: /t}\n");

        assertThat(plan.target())
                .isEqualTo(
                        new Plan.TargetPlan.Observed(
                                "app1:4711", new Selector.Port(80), Path.of("/t")));
    }

    @Test
    void refusesAgentWithoutTokenAndInvalidJvmChoice() {
        assertThatThrownBy(() ->
                        PlanFile.parse(
                                "p.yaml", "p", "url: http://h/\ntarget: {observe: 'app1:x=1'}\n"))
                .hasMessageContaining("app1:x=1")
                .hasMessageContaining("tokenFile");
    }

    /// Plans and `jdyno load --workload` use the same reader of workloads.
    @Test
    void readsWorkloadFromPlanOrFromAFileNextToIt(@TempDir Path folder) throws IOException {
        String journeys =
                """
                journeys:
                  - name: browse
                    steps:
                      - path: /item
                        check: {status: 200}
                """;
        Path file = Files.writeString(folder.resolve("shop.yaml"), journeys);
        String inline = "url: http://h:1/\nworkload:\n" + journeys.indent(2);
        String named = "url: http://h:1/\nworkload: shop.yaml\n";
        Path plan = Files.writeString(folder.resolve("plan.yaml"), named);

        assertThat(PlanFile.read(plan, Environment.NONE).workload())
                .contains(WorkloadFile.read(file, Environment.NONE));
        assertThat(PlanFile.parse("p.yaml", "p", inline).workload())
                .contains(WorkloadFile.read(file, Environment.NONE));
    }

    @Test
    void reportsMistakesOfWorkloadAndPlanTogether() {
        String text =
                """
                url: http://h:1/
                method: POST
                goal: p99<10ms
                rounds: {length: 1s}
                workload:
                  journeys:
                    - steps:
                      - {path: /a, chek: {status: 200}}
                      - path: /b
                """;

        assertThatThrownBy(() -> PlanFile.parse("p.yaml", "p", text))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(
                        "p.yaml:2 method",
                        "p.yaml:3 goal",
                        "several requests",
                        "p.yaml:4 rounds.length",
                        "p.yaml:8 workload.journeys[0].steps[0].chek");
    }
}
