package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.thread.Cause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedPoolTest {
    private static ServicePool pool(String name, String library, double inUse, double waiting) {
        return new ServicePool(
                name,
                library,
                Optional.of(10.0),
                Optional.of(inUse),
                Optional.of(waiting),
                Optional.of(400.0),
                Optional.of(80.0),
                Optional.empty());
    }

    private static Evidence evidence(int beside, ServicePool... pools) {
        Evidence seen = plateau().busy(Cause.POOL, "HikariCP in com.acme.Orders.all", 19).build();
        var figures =
                new ServiceFigures(
                        seen.saturated().orElseThrow().concurrency() + beside,
                        10,
                        0.01,
                        "http://127.0.0.1:8080/actuator/prometheus",
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(pools));
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

    private static Finding.Limits limits(Evidence evidence) {
        return (Finding.Limits) new ConnectionPoolRule().evaluate(evidence);
    }

    @Test
    void verdictUsesPoolNameReportedByService() {
        Finding.Limits found =
                limits(
                        evidence(
                                0,
                                pool("stock", "HikariCP", 3, 0),
                                pool("orders", "HikariCP", 9.8, 9)));

        assertThat(found.says()).contains("`orders`");
        assertThat(found.evidence())
                .filteredOn(e -> e.id().equals("reported-pool"))
                .singleElement()
                .satisfies(e -> assertThat(e.value()).isCloseTo(0.98, within(1e-9)));
        assertThat(found.where()).isEqualTo(limits(evidence(0)).where());
    }

    @Test
    void namesOnlyFullConnectionPoolWithWaitersAtThisLoad() {
        assertThat(limits(evidence(0, pool("a", "HikariCP", 5, 9))).evidence())
                .isEqualTo(limits(evidence(0)).evidence());
        assertThat(limits(evidence(0, pool("a", "HikariCP", 10, 0))).evidence())
                .isEqualTo(limits(evidence(0)).evidence());
        assertThat(limits(evidence(0, pool("of another library", "Agroal", 10, 9))).evidence())
                .isEqualTo(limits(evidence(0)).evidence());
        assertThat(limits(evidence(0, pool("a", "Tomcat", 10, 9))).evidence())
                .isEqualTo(limits(evidence(0)).evidence());
        assertThat(limits(evidence(1, pool("a", "HikariCP", 10, 9))).evidence())
                .isEqualTo(limits(evidence(0)).evidence());
    }
}
