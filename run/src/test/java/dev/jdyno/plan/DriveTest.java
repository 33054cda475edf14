package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriveTest {
    @Test
    void placeholdersAreReplacedEverywhere() {
        Drive drive = Drive.parse("wrk -c{n} -t{n} -d{seconds}s > {out}");

        assertThat(drive.of(8, 3, "/tmp/it's")).isEqualTo("wrk -c8 -t8 -d3s > '/tmp/it'\\''s'");
    }

    @ParameterizedTest
    @CsvSource({"wrk -d{seconds}s,{n}", "wrk -c{n},{seconds}", "wrk,{n} and {seconds}"})
    void namesMissingPlaceholder(String command, String missing) {
        assertThatThrownBy(() -> Drive.parse(command))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(missing + " ");
    }

    @Test
    void planKeepsDriverCommand() {
        String text =
                """
                url: http://127.0.0.1:8080/
                drive: wrk -c{n} -d{seconds}s --latency http://127.0.0.1:8080/
                """;
        Plan plan = PlanFile.parse("shop.yaml", "shop", text);

        assertThat(plan.drive().orElseThrow().command()).startsWith("wrk -c{n}");
        assertThat(PlanFile.parse("shop.yaml", "shop", PlanText.of(plan)).drive())
                .isEqualTo(plan.drive());
    }

    @Test
    void aPlanWithoutPlaceholderIsRefused() {
        assertThatThrownBy(() ->
                        PlanFile.parse(
                                "shop.yaml",
                                "shop",
                                "url: http://127.0.0.1:8080/\ndrive: wrk -c4 -d1s\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("{n} and {seconds}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "method: POST",
                "body: '{}'",
                "headers: {Accept: text/plain}",
                "workload: {journeys: [{steps: [{path: /a}]}]}",
                "tls: {insecure: true}",
                "tls: {insecure: false}",
                "tls: {cacert: ca.pem}",
                "grpc: {deadline: 500ms}",
                "grpc: {method: shop.Prices/price}"
            })
    void toolAndRequestsOfPlanAreRefused(String key) {
        String url = (key.startsWith("grpc") ? "url: grpc" : "url: http") + "://127.0.0.1:8080/\n";
        String tool = "drive: wrk -c{n} -d{seconds}s\n";

        assertThat(PlanFile.parse("shop.yaml", "shop", url + key + "\n").drive()).isEmpty();
        assertThatThrownBy(() -> PlanFile.parse("shop.yaml", "shop", url + tool + key + "\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(key.substring(0, key.indexOf(':')))
                .hasMessageContaining(Drive.OWN_REQUESTS);
    }

    /// A tool whose requests are gRPC calls is given with `through:`, and the URL names the
    /// service.
    @Test
    void writtenPlanOfAToolForGrpcCanBeRead() {
        Plan plan =
                PlanFile.parse(
                        "shop.yaml",
                        "shop",
                        """
                        url: grpc://127.0.0.1:8080/
                        drive: {command: "ghz -c {n} -z {seconds}s", through: 8090}
                        """);

        Plan again = PlanFile.parse("plan.yaml", "shop", PlanText.of(plan));

        assertThat(again.drive()).isEqualTo(plan.drive());
        assertThat(again.url()).isEqualTo(plan.url());
    }

    @Test
    void verbWithItsOwnLoadRefusesTool() {
        Plan plan =
                PlanFile.parse(
                        "shop.yaml",
                        "shop",
                        "url: http://127.0.0.1:8080/\ndrive: wrk -c{n} -d{seconds}s\n");

        assertThatThrownBy(() -> Drive.refuse(plan, "jdyno warm")).isInstanceOf(UserError.class);
        assertThat(plan.onThisHost("jdyno compare")).isSameAs(plan);
    }

    @Test
    void toolMustReachServiceThatGetsAnotherPortAtEachStart() {
        String plan =
                """
                url: "http://127.0.0.1:{port}/"
                target: {launch: "java -jar shop.jar {port}"}
                drive: %s
                """;

        assertThatThrownBy(() ->
                        PlanFile.parse(
                                "shop.yaml",
                                "shop",
                                plan.formatted("wrk -c{n} -d{seconds}s http://127.0.0.1:8080/")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("{port}");
        String takesPort = "\"wrk -c{n} -d{seconds}s http://127.0.0.1:{port}/\"";
        assertThat(
                        PlanFile.parse("shop.yaml", "shop", plan.formatted(takesPort))
                                .drive()
                                .map(d -> d.at(8081).of(4, 3, "")))
                .hasValue("wrk -c4 -d3s http://127.0.0.1:8081/");
        String proxied = "{command: 'k6 --vus {n} --duration {seconds}s a.js', through: 8090}";
        assertThat(PlanFile.parse("shop.yaml", "shop", plan.formatted(proxied)).drive())
                .hasValueSatisfying(d -> assertThat(d.through()).hasValue(8090));
    }

    @Test
    void aProxyIsPartOfThePlan() {
        Plan plan =
                PlanFile.parse(
                        "shop.yaml",
                        "shop",
                        """
                        url: http://127.0.0.1:8080/
                        drive: {command: "wrk -c{n} -d{seconds}s", through: 8090}
                        """);

        assertThat(plan.drive().orElseThrow().through()).hasValue(8090);
        assertThat(PlanFile.parse("shop.yaml", "shop", PlanText.of(plan)).drive())
                .isEqualTo(plan.drive());
    }
}
