package dev.jdyno.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.foreign.PrometheusText.Family;
import dev.jdyno.foreign.PrometheusText.Limits;
import dev.jdyno.foreign.PrometheusText.Sample;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {
    private static PrometheusText read(String text) throws Malformed {
        return read(text, Limits.DEFAULT);
    }

    private static PrometheusText read(String text, Limits limits) throws Malformed {
        return PrometheusText.read(text.getBytes(StandardCharsets.UTF_8), _ -> true, limits);
    }

    /// In the format of Spring Boot 3 and 4.
    @Test
    void samplesOfASummaryAreFoundByTheirSuffixes() throws Malformed {
        PrometheusText text =
                read(
                        """
                        # HELP http_server_requests_seconds
                        # TYPE http_server_requests_seconds summary
                        http_server_requests_seconds_count{error="none",uri="/orders/{id}"} 12
                        http_server_requests_seconds_sum{error="none",uri="/orders/{id}"} 0.25
                        # TYPE http_server_requests_seconds_max gauge
                        http_server_requests_seconds_max{error="none",uri="/orders/{id}"} 0.1
                        """);

        assertThat(text.families())
                .extracting(Family::name, Family::type)
                .containsExactly(
                        tuple("http_server_requests_seconds", PrometheusText.Type.SUMMARY),
                        tuple("http_server_requests_seconds_max", PrometheusText.Type.GAUGE));
        assertThat(text.samples("http_server_requests_seconds_sum"))
                .containsExactly(
                        new Sample(
                                "http_server_requests_seconds_sum",
                                Map.of("error", "none", "uri", "/orders/{id}"),
                                0.25));
    }

    /// In the OpenMetrics format, with exemplars, creation times, units and an end mark.
    @Test
    void openMetricsAreReadWithTheirExemplars() throws Malformed {
        PrometheusText text =
                read(
                        """
                        # TYPE shop_seconds histogram
                        # UNIT shop_seconds seconds
                        shop_seconds_bucket{le="0.1"} 7 # {trace_id="a#b",span_id="1"} 0.05 1700000000.123
                        shop_seconds_bucket{le="+Inf"} 9
                        shop_seconds_count 9
                        shop_seconds_sum 1.5e0
                        shop_seconds_created 1.7e9
                        # TYPE orders counter
                        orders_total 4.0 1700000000.5
                        # EOF
                        """);

        assertThat(text.families())
                .extracting(Family::type)
                .containsExactly(PrometheusText.Type.HISTOGRAM, PrometheusText.Type.COUNTER);
        assertThat(text.samples("shop_seconds_bucket"))
                .extracting(s -> s.label("le"))
                .containsExactly("0.1", "+Inf");
        assertThat(text.samples("orders_total")).extracting(Sample::value).containsExactly(4.0);
    }

    @Test
    void aCommaMayStandAtTheEndOfTheLabels() throws Malformed {
        assertThat(read("hikaricp_connections{pool=\"HikariPool-1\",} 10.0").families())
                .singleElement()
                .satisfies(f -> assertThat(f.type()).isEqualTo(PrometheusText.Type.UNTYPED))
                .satisfies(f ->
                        assertThat(f.samples().getFirst().label("pool")).isEqualTo("HikariPool-1"));
    }

    @Test
    void aNameMayStandInQuotes() throws Malformed {
        assertThat(read("{\"http.requests\",\"my.uri\"=\"/\"} 3").samples("http.requests"))
                .containsExactly(new Sample("http.requests", Map.of("my.uri", "/"), 3));
    }

    @Test
    void escapedLabelValuesAreRead() throws Malformed {
        assertThat(read("a{l=\"x\\\\y\\\"z\\nw\"} 1").samples("a").getFirst().label("l"))
                .isEqualTo("x\\y\"z\nw");
    }

    @ParameterizedTest
    @CsvSource({"NaN, NaN", "+Inf, Infinity", "-Inf, -Infinity", "1e3, 1000", "-.5, -0.5", "3., 3"})
    void readsNotANumberAndInfinity(String text, double value) throws Malformed {
        assertThat(read("a " + text).samples("a")).extracting(Sample::value).containsExactly(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a{} ",
                "a{x=\"1\"",
                "a{x=1} 1",
                "a{x} 1",
                "a{x=\"1\" y=\"2\"} 1",
                "a{x=\"1\",x=\"2\"} 1",
                "a{x=\"\\t\"} 1",
                "a{x=\"1} 1",
                "a 1 2 3",
                "a 0x10",
                "a 1d",
                "a 1_000",
                "{\"a\",\"b\"} 1",
                "a{\"b\"} 1",
                "{x=\"1\"} 1",
                "1a 1",
                "a 1\na 2",
                "a{x=\"1\",y=\"2\"} 1\na{y=\"2\",x=\"1\"} 1",
                "# TYPE a counter\n# TYPE a gauge",
                "# TYPE a cake",
                "# TYPE a",
                "# EOF\na 1",
                "a 1 # 5",
                "<html>",
                "{\"status\":\"UP\"}"
            })
    void refusesInvalidFormat(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(Malformed.class);
    }

    @Test
    void eachLimitOfTheReaderIsEnforced() {
        var limits = new Limits(4, 2, 2, 8);

        assertThatThrownBy(() -> read("a 1\n\n\n\n\n", limits))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("lines");
        assertThatThrownBy(() -> read("a 1\nb 1\nc 1", limits)).hasMessageContaining("samples");
        assertThatThrownBy(() -> read("a{x=\"\",y=\"\",z=\"\"} 1", limits))
                .hasMessageContaining("labels");
        assertThatThrownBy(() -> read("a{x=\"123456789\"} 1", limits))
                .hasMessageContaining("text is too long");
        assertThatThrownBy(() -> read("a23456789 1", limits))
                .hasMessageContaining("name is too long");
        assertThatThrownBy(() -> read("a".repeat(70_000), limits))
                .hasMessageContaining("line is too long");
    }

    @Test
    void samplesThatAreNotWantedAreCheckedButNotKept() throws Malformed {
        byte[] text = "a 1\nb 2\nc 3".getBytes(StandardCharsets.UTF_8);
        var one = new Limits(10, 1, 1, 10);

        PrometheusText kept = PrometheusText.read(text, "b"::equals, one);

        assertThat(kept.samples("b")).hasSize(1);
        assertThat(kept.samples("a")).isEmpty();
        assertThat(PrometheusText.read(text, _ -> false, one).samples("b")).isEmpty();
    }
}
