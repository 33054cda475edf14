package dev.jdyno.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpEndpointTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/metrics",
        "http://127.0.0.1:4318/, http://127.0.0.1:4318/v1/metrics",
        "https://otlp.example/otlp, https://otlp.example/otlp/v1/metrics",
        "http://prom:9090/api/v1/otlp/v1/metrics, http://prom:9090/api/v1/otlp/v1/metrics",
        "http://[::1]:4318/v1/metrics/, http://[::1]:4318/v1/metrics",
    })
    void thePathOfMetricsIsAdded(String given, String url) {
        assertThat(OtlpEndpoint.parse(given).url()).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collector:4318",
                "grpc://collector:4317",
                "file:///tmp/metrics",
                "http://",
                "http://collector:99999",
                "http://user:pw@collector:4318",
                "http://collector:4318/?token=x",
                "http://collector:4318/#x",
                "http://my_collector:4318",
                "http://collector:4318/\r\nX: y",
            })
    void otherAddressesAreRefused(String given) {
        assertThatThrownBy(() -> OtlpEndpoint.parse(given))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void headersAreReadAsOpenTelemetryWritesThem() {
        OtlpEndpoint endpoint = OtlpEndpoint.parse("http://127.0.0.1:4318");

        assertThat(endpoint.withHeaders(" api-key = a%3Db , x=1+1,").headers())
                .isEqualTo(Map.of("api-key", "a=b", "x", "1+1"));
        assertThat(endpoint.withHeaders("").headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"api-key", "=secret-1", "a b=secret-1", "k=secret-1%", "k=secret-1%0D%0Ax"})
    void brokenHeadersAreRefusedWithoutTheirValue(String given) {
        OtlpEndpoint endpoint = OtlpEndpoint.parse("http://127.0.0.1:4318");

        assertThatThrownBy(() -> endpoint.withHeaders(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret-1");
    }
}
