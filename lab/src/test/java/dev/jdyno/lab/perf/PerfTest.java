package dev.jdyno.lab.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.downstream.Downstream;
import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PerfTest {
    private static ProcessOf downstream;
    private static ProcessOf perf;

    @BeforeAll
    static void start() throws IOException {
        downstream = ProcessOf.started(Downstream.class);
        perf = ProcessOf.started(Perf.class, "--downstream", downstream.url());
    }

    @AfterAll
    static void stop() {
        perf.close();
        downstream.close();
    }

    @Test
    void aRequestWaitsForTheDownstream() {
        assertThat(perf.get("/perf?cpu=1&io=80").millis()).isGreaterThanOrEqualTo(80);
    }

    @Test
    void requestUsesTheRequestedCpuTime() {
        perf.get("/perf?cpu=1&io=1");

        double before = perf.cpuMillis();
        for (int i = 0; i < 5; i++) {
            perf.get("/perf?cpu=100&io=1");
        }

        assertThat((perf.cpuMillis() - before) / 500).isBetween(0.5, 2.5);
    }

    @Test
    void lockAdmitsOneRequestAtATime() {
        double alone = perf.get("/lock?ms=60&cpu=0&io=0").millis();
        double together = perf.millisForAll(5, "/lock?ms=60&cpu=0&io=0");

        assertThat(alone).isGreaterThanOrEqualTo(60);
        assertThat(together).isGreaterThanOrEqualTo(5 * 60);
    }

    @Test
    void lockIsHeldDuringCpuWork() {
        double before = perf.cpuMillis();
        perf.get("/lock?ms=200&burn=true");

        assertThat(perf.cpuMillis() - before).isGreaterThan(100);
    }

    @Test
    void parallelCallsTakeAsLongAsTheLongest() {
        String times = "/calls?cpuScale=0&mall=200&product=100&goods=400";
        perf.get(times + "&parallel=true");

        double inTurn = perf.get(times).millis();
        // a busy machine only adds time, so one short run shows it
        double atOnce =
                DoubleStream.generate(() -> perf.get(times + "&parallel=true").millis())
                        .limit(20)
                        .filter(millis -> millis <= 650)
                        .findFirst()
                        .orElse(Double.POSITIVE_INFINITY);

        assertThat(inTurn).isGreaterThanOrEqualTo(700);
        assertThat(atOnce).isBetween(400.0, 650.0);
    }

    @Test
    void searchCallsThreeServicesAndTwoWithCache() {
        String times = "/search?analyse=0&render=0&mall=10&product=10&goods=10&q=7";

        assertThat(perf.get(times).body()).isEqualTo("calls=3 template=true\n");
        assertThat(perf.get(times + "&cache=true").body()).isEqualTo("calls=3 template=true\n");
        assertThat(perf.get(times + "&cache=true").body()).isEqualTo("calls=2 template=true\n");
        assertThat(perf.get(times).body()).isEqualTo("calls=3 template=true\n");
    }

    @Test
    void aSearchWithoutItsTemplateDoesNotRender() {
        String page = "/search?analyse=0&render=200&mall=0&product=0&goods=0&template=false";
        perf.get(page);

        double before = perf.cpuMillis();
        String body = perf.get(page).body();

        assertThat(body).isEqualTo("calls=3 template=false\n");
        assertThat(perf.cpuMillis() - before).isLessThan(150);
    }

    @Test
    void explainsInvalidRequest() {
        assertThat(perf.get("/perf?cpu=ten").status()).isEqualTo(400);
        assertThat(perf.get("/perf?cpu=ten").body()).contains("cpu=ten: not a number");
        assertThat(perf.get("/nowhere").status()).isEqualTo(404);
    }

    @Test
    void answers502WhenTheDownstreamCannotBeReached() throws IOException {
        try (ProcessOf alone =
                ProcessOf.started(Perf.class, "--downstream", "http://127.0.0.1:1")) {
            assertThat(alone.get("/perf?cpu=1&io=1").status()).isEqualTo(502);
        }
    }
}
