package dev.jdyno.load.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.load.LoadSession;
import dev.jdyno.load.StreamLimit;
import dev.jdyno.load.Taken;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import io.grpc.BindableService;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Load on a service of grpc-java.
class GrpcLoadTest {
    private static final int CALLS = 400;

    private static LoadSpecBuilder calls(ShopServer server, Optional<Duration> deadline) {
        var calls = new GrpcCalls(Shop.schema(), deadline, false, false);
        return LoadSpec.to(server.url()).loops(1).mostRequests(CALLS).grpc(calls, 8);
    }

    private static LoadWindow load(LoadSpecBuilder spec) {
        try (var session = LoadSession.start(spec.build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            return Taken.all(session);
        }
    }

    @Test
    void serverAndClientCountEqualRequests() throws IOException {
        try (var server = new ShopServer()) {
            LoadWindow w = load(calls(server, Optional.empty()).body(Body.of("{\"id\": 7}")));

            assertThat(w.errorKinds()).isEmpty();
            assertThat(w.requests()).isEqualTo(CALLS);
            assertThat(server.calls).hasValue(CALLS);
            assertThat(StreamLimit.of(w)).isEmpty();
            assertThat(w.statuses()).containsExactly(Map.entry(0, (long) CALLS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8, 13, 14, 16})
    void failureHasNameOfGrpcStatus(int code) throws IOException {
        try (var server = new ShopServer()) {
            LoadWindow w =
                    load(
                            calls(server, Optional.empty())
                                    .body(Body.of("{\"name\": \"fail:" + code + "\"}")));

            String kind = ErrorKind.ofGrpc(code).key();
            assertThat(w.errorKinds()).containsExactly(Map.entry(kind, (long) CALLS));
            assertThat(w.failures())
                    .singleElement()
                    .satisfies(f -> {
                        assertThat(f.kind()).isEqualTo(kind);
                        assertThat(f.count()).isEqualTo(CALLS);
                        assertThat(f.example()).contains("asked for 100 %");
                    });
            assertThat(server.calls).hasValue(CALLS);
        }
    }

    @Test
    void unknownMethodIsUnimplemented() throws IOException {
        try (var server = new ShopServer()) {
            var calls = new GrpcCalls(new AnyMethod(), Optional.empty(), false, false);
            LoadWindow w =
                    load(
                            LoadSpec.to(server.url().resolve("/shop.Prices/pric"))
                                    .loops(1)
                                    .mostRequests(20)
                                    .grpc(calls, 2));

            assertThat(w.errorKinds()).containsOnlyKeys("grpc-unimplemented");
        }
    }

    @Test
    void aCallThatOutlivesItsDeadlineFailsByThatName() throws IOException {
        try (var server = new ShopServer()) {
            // the first calls of a JVM are slow, and a call must reach the server in its deadline
            load(calls(server, Optional.empty()));

            LoadWindow w =
                    load(
                            calls(server, Optional.of(Duration.ofSeconds(3)))
                                    .mostRequests(32)
                                    .body(Body.of("{\"name\": \"never\"}")));

            assertThat(w.errorKinds()).containsExactly(Map.entry("grpc-deadline-exceeded", 32L));
            Eventually.until(
                    () -> "the last of 32 calls, after " + server.withDeadline,
                    () -> server.withDeadline.get() >= 32);
            assertThat(server.withDeadline).hasValue(32);
        }
    }

    @Test
    void headersAreSentAsMetadata() throws IOException {
        try (var server = new ShopServer()) {
            LoadWindow w = load(calls(server, Optional.empty()).header("Tenant", "blue"));

            assertThat(w.errorKinds()).isEmpty();
            assertThat(server.tenants).hasSize(CALLS).containsOnly("blue");
        }
    }

    @Test
    void namesStreamLimitOfServer() throws IOException {
        try (var server = new ShopServer(3)) {
            LoadWindow w = load(calls(server, Optional.empty()));

            assertThat(w.errorKinds()).isEmpty();
            assertThat(w.detours().streamWaits()).isPositive();
            assertThat(w.detours().streamLimit()).isEqualTo(3);
            assertThat(StreamLimit.of(w)).isPresent();
        }
    }

    @Test
    void messagesOfAServerStreamAreCounted() throws IOException {
        try (var server = new ShopServer()) {
            var calls = new GrpcCalls(Shop.schema(), Optional.empty(), false, false);
            LoadWindow w =
                    load(
                            LoadSpec.to(server.url().resolve("/shop.Prices/watch"))
                                    .loops(1)
                                    .mostRequests(50)
                                    .body(Body.of("{\"id\": 6}"))
                                    .grpc(calls, 4));

            assertThat(w.errorKinds()).isEmpty();
            assertThat(w.requests()).isEqualTo(50);
            assertThat(w.detours().messages()).isEqualTo(300);
        }
    }

    enum Version {
        V1,
        V1ALPHA;

        @SuppressWarnings("deprecation")
        BindableService service() {
            return this == V1
                    ? ProtoReflectionServiceV1.newInstance()
                    : ProtoReflectionService.newInstance();
        }
    }

    @ParameterizedTest
    @EnumSource
    void bothVersionsOfServerReflectionGiveTheMethods(Version version) throws IOException {
        try (var server = new ShopServer(version.service())) {
            LoadSpec spec = LoadSpec.to(server.url()).build();

            Schema schema = Reflection.schema(spec, Reflection.servicesOf(spec), NanoClock.SYSTEM);

            assertThat(schema.methods()).contains("shop.Prices/price");
            assertThat(schema.message(Shop.PRICE, "{\"at\": \"2026-01-31T12:00:00Z\"}"))
                    .isNotEmpty();
        }
    }

    @Test
    void unknownServiceErrorNamesNearestName() throws IOException {
        try (var server = new ShopServer(ProtoReflectionServiceV1.newInstance())) {
            LoadSpec spec = LoadSpec.to(server.url()).build();

            assertThatThrownBy(
                            () -> Reflection.schema(spec, List.of("shop.Price"), NanoClock.SYSTEM))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> {
                                assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                                assertThat(e.getMessage()).contains("'shop.Prices'");
                            });
        }
    }

    @Test
    void reportsServerWithoutReflection() throws IOException {
        try (var server = new ShopServer()) {
            LoadSpec spec = LoadSpec.to(server.url()).build();

            assertThatThrownBy(
                            () -> Reflection.schema(spec, List.of("shop.Prices"), NanoClock.SYSTEM))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.TARGET));
        }
    }

    private static Workload workload(
            String body, List<Check> checks, List<Take> takes, List<Map<String, String>> rows) {
        var first = new Step("first", "POST", Shop.PRICE, Map.of(), body, checks, takes);
        var second =
                new Step(
                        "second",
                        "POST",
                        Shop.PRICE,
                        Map.of(),
                        "{\"id\": \"${seen}\", \"name\": \"${user}\"}",
                        List.of(new Check.JsonEquals("/price", "2.5")),
                        List.of());
        List<Step> steps = takes.isEmpty() ? List.of(first) : List.of(first, second);
        return new Workload(List.of(new Journey("j", 1, steps)), rows, RowOrder.SEQUENTIAL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void columnsFillMessagesAndRepliesAreCheckedAsJson(boolean gzip) throws IOException {
        try (var server = new ShopServer()) {
            var rows = List.of(Map.of("id", "7"), Map.of("id", "8"));
            Workload workload =
                    workload(
                            "{\"id\": ${id}, \"items\": [1, 2]}",
                            List.of(new Check.Contains("\"note\":\"\"")),
                            List.of(new Take.Json("seen", "/id")),
                            rows);
            var calls = new GrpcCalls(Shop.schema(), Optional.empty(), gzip, false);
            LoadSpecBuilder spec =
                    LoadSpec.to(server.url())
                            .loops(1)
                            .mostRequests(40)
                            .workload(workload)
                            .grpc(calls, 2);
            var problems = new Problems();
            CallCheck.check(spec.build(), Shop.schema(), "here", problems);

            LoadWindow w = load(spec);

            assertThat(problems.isEmpty()).isTrue();
            assertThat(w.errorKinds()).isEmpty();
            assertThat(w.named().keySet()).containsExactlyInAnyOrder("first", "second");
            assertThat(server.calls.get()).isEqualTo(w.statuses().get(0));
        }
    }

    @Test
    void reportsFailedCheck() throws IOException {
        try (var server = new ShopServer()) {
            List<Check> checks = List.of(new Check.JsonEquals("/price", "9"));
            LoadWindow w =
                    load(
                            calls(server, Optional.empty())
                                    .workload(workload("{}", checks, List.of(), List.of())));

            assertThat(w.errorKinds()).containsExactly(Map.entry("check", (long) CALLS));
        }
    }

    @Test
    void invalidMessageFailsWithReasonAndLoadContinues() throws IOException {
        try (var server = new ShopServer()) {
            Workload workload = workload("{\"id\": \"a${user}\"}", List.of(), List.of(), List.of());
            LoadWindow w = load(calls(server, Optional.empty()).mostRequests(3).workload(workload));

            assertThat(w.errorKinds()).containsExactly(Map.entry("check", 3L));
            assertThat(w.failures().getFirst().reason())
                    .isEqualTo(FailureReason.GRPC_REQUEST_INVALID);
            assertThat(server.calls).hasValue(0);
        }
    }

    @Test
    void rowsAreCheckedBeforeAnythingIsSent() throws IOException {
        try (var server = new ShopServer()) {
            var rows = List.of(Map.of("id", "7"), Map.of("id", "x"));
            LoadSpec spec =
                    calls(server, Optional.empty())
                            .workload(workload("{\"id\": \"${id}\"}", List.of(), List.of(), rows))
                            .build();
            var problems = new Problems();

            CallCheck.check(spec, Shop.schema(), "here", problems);

            assertThat(problems.list())
                    .singleElement()
                    .satisfies(p -> {
                        assertThat(p.where()).contains("row 2");
                        assertThat(p.what()).contains("/id");
                    });
            assertThat(server.calls).hasValue(0);
        }
    }

    private record AnyMethod() implements dev.jdyno.load.request.GrpcMessages {
        @Override
        public byte[] message(String path, String json) {
            return new byte[0];
        }

        @Override
        public String json(String path, byte[] message) {
            return "{}";
        }
    }

    @Test
    void rulesThatEndAReplyEarlyAreRefused() throws IOException {
        try (var server = new ShopServer()) {
            var rules =
                    new ReplyRules(
                            false, Optional.of(new Until.Events(3)), false, Optional.empty());
            LoadSpec spec = LoadSpec.to(server.url()).replies(rules).build();
            var calling = new Calling(Optional.empty(), Optional.empty(), false, false, 1);

            assertThatThrownBy(() -> calling.of(spec, "body", NanoClock.SYSTEM))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
        }
    }
}
