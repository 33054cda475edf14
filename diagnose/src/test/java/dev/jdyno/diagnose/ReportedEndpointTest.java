package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedEndpointTest {
    private static EndpointFigures endpoint(String uri, double share) {
        return new EndpointFigures("GET", uri, "2xx", 400, 40, 50 * share, share);
    }

    private static Evidence evidence(int beside, EndpointFigures... endpoints) {
        Evidence seen = plateau().busy(Cause.POOL, "HikariCP in com.acme.Orders.all", 19).build();
        var figures =
                new ServiceFigures(
                        seen.plateau().concurrency() + beside,
                        10,
                        0.01,
                        "http://127.0.0.1:8080/actuator/prometheus",
                        Optional.empty(),
                        List.of(endpoints),
                        Optional.empty(),
                        List.of());
        return new Evidence(
                seen.rounds(),
                seen.plateau(),
                seen.doubled(),
                seen.saturated(),
                seen.relaxed(),
                seen.knee(),
                seen.counted(),
                seen.insight().withService(List.of(figures)));
    }

    private static Verdict verdict(Bottleneck name) {
        return new Verdict(name, "", 0.9, Sentence.of("It limits."), List.of(), List.of());
    }

    @Test
    void namesEndpointWithMostTimeAndItsShare() {
        Verdict named =
                ReportedEndpoint.named(
                        verdict(Bottleneck.CPU),
                        evidence(0, endpoint("/checkout", 0.8), endpoint("/items", 0.2)));

        assertThat(named.says().text()).contains("`GET /checkout`");
        assertThat(named.evidence())
                .singleElement()
                .satisfies(e -> assertThat(e.id()).isEqualTo("reported-endpoint"))
                .satisfies(e -> assertThat(e.value()).isEqualTo(0.8));
    }

    @Test
    void keepsVerdictWithoutLimitingEndpointAtItsLoad() {
        Verdict cpu = verdict(Bottleneck.CPU);
        Verdict load = verdict(Bottleneck.LOAD);
        EndpointFigures max = endpoint("/checkout", 0.8);
        EndpointFigures other = endpoint("/items", 0.2);

        assertThat(ReportedEndpoint.named(cpu, evidence(0, max))).isEqualTo(cpu);
        assertThat(ReportedEndpoint.named(cpu, evidence(1, max, other))).isEqualTo(cpu);
        assertThat(ReportedEndpoint.named(load, evidence(0, max, other))).isEqualTo(load);
    }
}
