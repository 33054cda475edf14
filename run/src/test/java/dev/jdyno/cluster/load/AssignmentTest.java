package dev.jdyno.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jdyno.load.grpc.Schema;
import dev.jdyno.load.grpc.Shop;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An assignment from another process is checked like a command line.
class AssignmentTest {
    private static final LoadSpec SPEC =
            LoadSpec.to(URI.create("http://shop:8080/a"))
                    .method("POST")
                    .header("X-Id", "seven")
                    .workload(
                            new Workload(
                                    List.of(
                                            new Journey(
                                                    "buy",
                                                    1,
                                                    List.of(
                                                            new Step(
                                                                    "one",
                                                                    "PUT",
                                                                    "/b",
                                                                    Map.of("X-Step", "eight"),
                                                                    "",
                                                                    List.of(),
                                                                    List.of())))),
                                    new Workload.Data(
                                            List.of(), RowOrder.SEQUENTIAL, Optional.empty())))
                    .replies(
                            new ReplyRules(
                                    true,
                                    Optional.of(new Until.Text("[DONE]")),
                                    true,
                                    Optional.empty()))
                    .build();

    private static String json() {
        byte[] bytes = Assignment.PAYLOAD.write(Assignment.of(SPEC, 1, new Part(0, 1), 1));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static Assignment read(String json) {
        return Assignment.PAYLOAD.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsAssignmentOfRun() {
        assertThat(read(json()).spec().build().headers()).isEqualTo(SPEC.headers());
        assertThat(read(json()).spec().build().workload()).isEqualTo(SPEC.workload());
        assertThat(read(json()).spec().build().replies()).isEqualTo(SPEC.replies());
    }

    private static String jsonOfCalls() {
        var calls =
                new GrpcCalls(
                        Schema.of(Shop.SET.toByteArray()),
                        Optional.of(Duration.ofMillis(250)),
                        true,
                        true);
        LoadSpec spec =
                LoadSpec.to(URI.create("http://shop:9090" + Shop.PRICE))
                        .body(Body.of("{\"id\": 4}"))
                        .grpc(calls, 5)
                        .build();
        byte[] bytes = Assignment.PAYLOAD.write(Assignment.of(spec, 1, new Part(0, 1), 1));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void callsOfGrpcTravelWithTheirDescriptors() {
        LoadSpec there = read(jsonOfCalls()).spec().build();

        GrpcCalls calls = there.grpc().orElseThrow();
        assertThat(calls.messages().message(Shop.PRICE, "{\"id\": 4}")).containsExactly(8, 4);
        assertThat(calls.deadline()).contains(Duration.ofMillis(250));
        assertThat(calls.gzip()).isTrue();
        assertThat(there.streams()).isEqualTo(5);
        assertThat(there.usersPerConnection()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"streams\":5|\"streams\":0",
                "\"streams\":5|\"streams\":1000000",
                "\"deadlineMs\":250|\"deadlineMs\":-1",
                "\"descriptors\":\"|\"descriptors\":\"!",
                "\"descriptors\":\"|\"descriptors\":\"AAAA"
            })
    void callsOfGrpcAreChecked(String part, String hostile) {
        assertThat(jsonOfCalls()).contains(part);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(jsonOfCalls().replace(part, hostile)).spec());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"POST\"|\"SET a b\\r\\nGET\"",
                "\"POST\"|\"PO ST\"",
                "\"POST\"|\"\"",
                "\"X-Id\"|\"X-Id: a\\r\\nHost\"",
                "\"X-Id\"|\"\"",
                "\"seven\"|\"a\\r\\nHost: other\"",
                "\"seven\"|\"a\\nb\"",
                "\"PUT\"|\"FLUSHALL\\r\\n\"",
                "\"X-Step\"|\"a\\nb\"",
                "http://shop:8080/a|file:///etc/passwd",
                "http://shop:8080/a|gopher://shop:8080/a",
                "http://shop:8080/a|//shop/a",
            })
    void textsCannotAddLines(String part, String hostile) {
        assertThat(json()).contains(part);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(json().replace(part, hostile)).spec().build());
    }
}
