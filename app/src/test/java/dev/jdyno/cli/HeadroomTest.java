package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.Measures;
import dev.jdyno.target.MeteredVictim;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Compares the limit predicted from varying traffic with the throughput that a closed load
/// reaches.
class HeadroomTest {
    /// Loads of the open-model traffic, as shares of the measured maximum.
    private static final List<Double> DAY =
            List.of(0.2, 0.3, 0.45, 0.6, 0.5, 0.35, 0.2, 0.25, 0.4, 0.55, 0.45, 0.3);

    @TempDir Path dir;

    /// @param headroom as in `jdyno/diagnosis/1`
    /// @param most throughput of a closed load, in requests/s
    private record Compared(JsonNode document, JsonNode headroom, double most) {
        double ratio() {
            return headroom.at("/first/limitPerS").doubleValue() / most;
        }
    }

    private static Compared compared(long pid, String url) {
        maximum(url);
        double most = maximum(url);
        String rates =
                DAY.stream()
                        .map(share -> Long.toString(Math.max(1, Math.round(share * most))))
                        .collect(Collectors.joining(","));
        CompletableFuture<JsonNode> traffic =
                CompletableFuture.supplyAsync(() ->
                        load(
                                url,
                                "-c",
                                "50",
                                "--rate",
                                rates,
                                "-d",
                                "110s",
                                "--arrivals",
                                "poisson"));
        CliOutput said =
                CliOutput.jdyno(
                        "diagnose",
                        Long.toString(pid),
                        "--headroom",
                        "--duration",
                        "100s",
                        "--dumps",
                        "3",
                        "--json",
                        "--quiet");
        traffic.join();
        assertThat(said.code()).as(said.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(said.out());
        return new Compared(document, document.at("/headroom"), most);
    }

    private static double maximum(String url) {
        return load(url, "-c", "20", "-d", "8s").at("/qps").doubleValue();
    }

    private static JsonNode load(String url, String... options) {
        CliOutput said =
                CliOutput.jdyno(
                        Stream.concat(
                                        Stream.of("load", url, "--json", "--quiet"),
                                        Stream.of(options))
                                .toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isIn(0, 3);
        return JsonMapper.shared().readTree(said.out());
    }

    @Measures
    @Test
    void aPoolThatLimitsBeforeTheCpuIsNamedAtTheThroughputThatItReaches() throws Exception {
        try (Target target = MeteredVictim.launch(dir)) {
            Compared c = compared(target.pid(), "http://127.0.0.1:" + Victims.port(dir) + "/");

            assertThat(c.document().at("/throughputFrom").stringValue()).isEqualTo("metrics");
            assertThat(c.headroom().at("/first/kind").stringValue()).isEqualTo("pool");
            assertThat(c.headroom().at("/first/name").stringValue()).isEqualTo("orders");
            assertThat(c.ratio()).isBetween(0.8, 1.25);
            assertThat(c.headroom().at("/pools/0/size").doubleValue())
                    .isEqualTo(MeteredVictim.SIZE);
            assertThat(c.headroom().at("/pools/0/highestUtilisation").doubleValue())
                    .isBetween(0.4, 0.9);
            assertThat(c.headroom().at("/times/0/rtMs").doubleValue())
                    .isGreaterThan(MeteredVictim.HELD_MS);
        }
    }
}
