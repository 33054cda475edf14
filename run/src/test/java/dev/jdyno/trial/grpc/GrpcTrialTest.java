package dev.jdyno.trial.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.load.grpc.Shop;
import dev.jdyno.load.grpc.ShopServer;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.TrialOutcome;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A plan with the key `grpc` for a service of grpc-java.
class GrpcTrialTest {
    private static final class Unheard implements TrialListener {
        @Override
        public void phase(String says) {}

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    @TempDir private Path folder;

    private Plan plan(int port, String grpc) throws IOException {
        Path file = folder.resolve("shop.yaml");
        Files.write(folder.resolve("shop.pb"), Shop.SET.toByteArray());
        Files.writeString(
                file,
                """
                url: grpc://127.0.0.1:%d
                grpc: {method: shop.Prices/price, %s}
                warmup: {atLeast: 1ms, atMost: 1s, concurrency: 2}
                rounds: {length: 2s, settle: 50ms, concurrency: [3]}
                """
                        .formatted(port, grpc));
        return PlanFile.read(file, Environment.NONE);
    }

    @Test
    @Tag("full") // a whole run
    void aRunCallsTheMethodThatReflectionGives() throws IOException, InterruptedException {
        try (var server = new ShopServer(ProtoReflectionServiceV1.newInstance())) {
            Plan plan = plan(server.url().getPort(), "data: '{\"id\": 3}', deadline: 5s");

            TrialOutcome outcome =
                    new Trial(plan, new Session(folder, new Unheard(), () -> false)).run();

            Round round = outcome.recording().rounds().getFirst();
            assertThat(round.errorKinds()).isEmpty();
            assertThat(round.requests()).isPositive();
            assertThat(server.calls.get()).isGreaterThanOrEqualTo(round.requests());
        }
    }

    private LoadSpec calls(String grpc) throws IOException {
        Plan plan = plan(9090, grpc);
        LoadSpec requests =
                LoadSpec.to(PlannedCalls.url(plan)).body(Body.of(plan.body().orElse(""))).build();
        return PlannedCalls.early(plan, requests, NanoClock.SYSTEM);
    }

    @Test
    void readsDescriptorSetNextToPlanWithoutServer() throws IOException {
        LoadSpec spec = calls("data: '{\"id\": 3}', proto: shop.pb, streams: 7");

        assertThat(spec.grpc()).isPresent();
        assertThat(spec.streams()).isEqualTo(7);
        assertThat(spec.usersPerConnection()).isEqualTo(1);
        assertThat(spec.url()).hasToString("http://127.0.0.1:9090/shop.Prices/price");
    }

    @Test
    void unknownFieldErrorNamesNearestName() {
        assertThatThrownBy(() -> calls("data: '{\"idd\": 3}', proto: shop.pb"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.why()).contains("'id'");
                        });
    }

    @Test
    void refusesProtoSourceWithCommandForDescriptorSet() throws IOException {
        Files.writeString(folder.resolve("shop.proto"), "syntax = \"proto3\";");

        assertThatThrownBy(() -> calls("proto: shop.proto"))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.fix()).contains("--descriptor_set_out"));
    }
}
