package dev.jdyno.observe.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.service.EndpointNames;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoggedEndpointsTest {
    private static Map<String, Double> counted(String... lines) {
        var endpoints = new LoggedEndpoints();
        for (String line : lines) {
            endpoints.add(line);
        }
        return endpoints.take();
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/1.1, GET /",
        "GET /items HTTP/1.1, GET /items",
        "GET /items/ HTTP/1.1, GET /items/",
        "GET /items?id=7 HTTP/2.0, GET /items",
        "GET /items;jsessionid=A7 HTTP/1.1, GET /items",
        "POST /v1/items/17/parts/blue-42 HTTP/1.1, POST /v1/items/{}/parts/{}",
        "DELETE /b/550e8400-e29b-41d4-a716-446655440000 HTTP/1.1, DELETE /b/{}",
        "GET /t/aVeryLongTextWithoutAnyDigitThatIsAToken HTTP/1.1, GET /t/{}",
        "GET //a HTTP/1.1, GET //a",
        "GET /$1 HTTP/1.1, GET /{}",
        "GET /a$b\\c HTTP/1.1, GET /a$b\\c",
    })
    void idsInPathsAreReplaced(String request, String endpoint) {
        assertThat(counted("10.0.0.7 - - [29/Nov/2026:17:34:37 +0000] \"" + request + "\" 200 12"))
                .isEqualTo(Map.of(endpoint, 1.0));
    }

    @Test
    void requestIsFoundInOtherFormats() {
        assertThat(
                        counted(
                                "GET /a 200 3ms",
                                "2026-11-29T17:34:37Z GET /a 200",
                                "{\"request\":\"GET /a HTTP/1.1\",\"referer\":\"GET /b\"}"))
                .isEqualTo(Map.of("GET /a", 3.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "\"-\" 408 0", "GET", "GET items", "TARGET /a", "get /a"})
    void linesWithoutRequestAreNotCounted(String line) {
        assertThat(counted(line)).isEmpty();
    }

    /// A client chooses the path, and the terminal shows it.
    @Test
    void pathsEndAtCharactersThatAreNotPrintable() {
        assertThat(counted("\"GET /a\u001b[2Jb HTTP/1.1\"", "\"GET /a\u202eb HTTP/1.1\""))
                .isEqualTo(Map.of("GET /a", 2.0));
    }

    @Test
    void numberOfEndpointsIsLimited() {
        var endpoints = new LoggedEndpoints();
        for (int i = 0; i < 10 * EndpointNames.MAX; i++) {
            endpoints.add("\"GET /" + "a".repeat(i % 35) + "/" + "b".repeat(i / 35) + "\"");
        }
        assertThat(endpoints.take()).hasSizeLessThanOrEqualTo(EndpointNames.MAX);

        endpoints.add("\"GET /new HTTP/1.1\"");
        endpoints.add("\"GET /a/ HTTP/1.1\"");
        assertThat(endpoints.take()).isEqualTo(Map.of("GET /a/", 1.0));
    }

    /// A client chooses the path: without ids, it may be as long as the line.
    @Test
    void namesAreShortAndSharedByAllCalls() {
        var endpoints = new LoggedEndpoints();
        String line = "\"GET " + "/abc".repeat(1000);
        endpoints.add(line + "/d HTTP/1.1\"");
        endpoints.add(line + "/e HTTP/1.1\"");
        Map<String, Double> first = endpoints.take();
        endpoints.add(line + "/f HTTP/1.1\"");
        Map<String, Double> second = endpoints.take();

        assertThat(first).hasSize(1).containsValue(2.0);
        String name = first.keySet().iterator().next();
        assertThat(name).hasSize(EndpointNames.MAX_LENGTH).startsWith("GET /abc/abc");
        assertThat(second.keySet().iterator().next()).isSameAs(name);
    }
}
