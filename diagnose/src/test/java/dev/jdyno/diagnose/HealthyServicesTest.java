package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Healthy services under a light load of other clients.
class HealthyServicesTest {
    /// Names of waits that one load cannot tell from a plain delay.
    private static final Set<Bottleneck> DELAYS =
            EnumSet.of(Bottleneck.DOWNSTREAM, Bottleneck.DATABASE, Bottleneck.RATE_LIMIT);

    private static final double SURE = 0.9;

    /// @param inFlight mean number of requests in the service
    record Service(String name, Evidence evidence, double inFlight) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Service service(
            String name, double perS, RoundFixture round, ThreadSamples.Busy... busy) {
        double inFlight = Stream.of(busy).mapToDouble(ThreadSamples.Busy::threads).sum();
        return service(name, perS, round, inFlight, List.of(busy));
    }

    private static Service service(
            String name,
            double perS,
            RoundFixture round,
            double inFlight,
            List<ThreadSamples.Busy> busy) {
        Round seen = round.ofOthers().build();
        double used = busy.stream().mapToDouble(ThreadSamples.Busy::threads).sum();
        var pool = new ThreadSamples.Pool("exec", 10, used, 10 - used, 6, true);
        var samples =
                new ThreadSamples(
                        Math.max(1, (int) Math.round(inFlight)),
                        perS,
                        20,
                        1,
                        List.of(pool),
                        busy,
                        0,
                        0,
                        List.of(),
                        new Signals(Map.of()));
        return new Service(
                name,
                new Evidence(
                        List.of(seen),
                        seen,
                        Optional.empty(),
                        Optional.of(samples),
                        Optional.empty(),
                        Optional.empty()),
                inFlight);
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static RoundFixture light(double cores) {
        return round(1, 5).cores(cores);
    }

    static List<Service> services() {
        List<Service> all = new ArrayList<>();
        all.add(service("idle pool", 8, light(0.1), busy(Cause.DATABASE, "db:1", 0.04)));
        all.add(service("few requests", 1, light(0.02)));
        all.add(
                service(
                        "slow call",
                        2,
                        light(0.05),
                        busy(Cause.DOWNSTREAM, "10.0.0.7:80", 0.6),
                        busy(Cause.CPU, "com.acme.Page.get", 0.05)));
        all.add(
                service(
                        "slow calls",
                        12,
                        light(0.1),
                        busy(Cause.DOWNSTREAM, "10.0.0.7:80", 3),
                        busy(Cause.CPU, "com.acme.Page.get", 0.1)));
        all.add(
                service(
                        "some garbage",
                        20,
                        light(0.2)
                                .gc(
                                        EvidenceFixture.gcActivity(
                                                0.02, EvidenceFixture.causes(Map.of()))),
                        busy(Cause.CPU, "com.acme.Page.get", 0.3)));
        all.add(service("scheduled job", 5, light(0.9), busy(Cause.CPU, "com.acme.Job.run", 0.85)));
        all.add(
                service(
                        "slow endpoint",
                        10,
                        light(0.1),
                        busy(Cause.SLEEP, "com.acme.Export.get", 0.55)));
        all.add(
                service(
                        "short lock",
                        20,
                        light(0.1),
                        busy(Cause.LOCK, "com.acme.Ledger in com.acme.Ledger.post", 0.05),
                        busy(Cause.CPU, "com.acme.Ledger.post", 0.05)));
        all.add(
                service(
                        "log lines",
                        10,
                        light(0.1),
                        busy(Cause.LOGGING, "logback writing in com.acme.Page.get", 0.05),
                        busy(Cause.CPU, "com.acme.Page.get", 0.1)));
        all.add(service("three queries", 6, light(0.1), busy(Cause.DATABASE, "db:1", 0.2)));
        all.add(
                service(
                        "busy neighbours",
                        2,
                        light(0.05).others(1.93),
                        busy(Cause.DOWNSTREAM, "10.0.0.7:80", 0.55),
                        busy(Cause.CPU, "com.acme.Page.get", 0.05)));
        all.add(service("virtual threads", 15, light(0.1), 0.6, List.of()));
        all.add(
                service(
                        "wide limiter",
                        10,
                        light(0.1),
                        busy(Cause.SLEEP, "com.acme.Gate.work", 0.15)));
        return all;
    }

    @ParameterizedTest
    @MethodSource("services")
    void healthyServiceIsNotGivenANameWithConfidence(Service service) {
        Verdict verdict = ForeignLoadVerdict.of(service.evidence(), service.inFlight());

        assertThat(verdict.confidence()).isLessThan(SURE);
        assertThat(verdict.bottleneck()).matches(b -> b == Bottleneck.LOAD || DELAYS.contains(b));
    }

    /// Only one of them has more than one request in a wait.
    @Test
    void nothingIsSaturatedWhereFewerThanOneRequestWaits() {
        assertThat(services())
                .filteredOn(s ->
                        ForeignLoadVerdict.of(s.evidence(), s.inFlight()).bottleneck()
                                != Bottleneck.LOAD)
                .extracting(Service::name)
                .containsExactly("slow calls");
    }
}
