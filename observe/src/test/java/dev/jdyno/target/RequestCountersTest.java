package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.statistics.Throughput.Source;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class RequestCountersTest {
    private static final String JMX = "-Dcom.sun.management.jmxremote";

    @TempDir Path dir;

    private final AtomicLong now = new AtomicLong();
    private final NanoClock clock = now::get;

    @Test
    void requestsOfBothConnectorsOfATomcatAreCounted() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "http-and-another", JMX)) {
            var ports = TomcatVictim.ports(dir);
            TomcatVictim.ask(ports.get(0), 3);
            try (var counters = RequestCounters.open(target, clock)) {
                TomcatVictim.ask(ports.get(0), 40);
                TomcatVictim.ask(ports.get(1), 20);
                now.addAndGet(Duration.ofSeconds(10).toNanos());

                Throughput x = counters.take();

                assertThat(x.source()).isEqualTo(Source.TOMCAT);
                // Tomcat counts a request just after it has sent the answer
                assertThat(x.perS()).isBetween(5.7, 6.2);
                assertThat(x.containerRtMs().orElseThrow()).isBetween(18.0, 2000.0);

                counters.restart();
                now.addAndGet(Duration.ofSeconds(10).toNanos());
                assertThat(counters.take().perS()).as("the next window").isBetween(0.0, 0.2);
            }
        }
    }

    @Test
    void aConnectorThatDoesNotRunIsStartedOnDemandOnly() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans")) {
            assertThatThrownBy(() -> RequestCounters.open(target, clock).close())
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e ->
                                    assertThat(e.why() + e.fix())
                                            .contains("connector does not run", "--jmx"));
            assertThat(LocalConnector.address(target)).isEmpty();

            assertThat(RequestCounters.startConnector(target)).isTrue();
            assertThat(RequestCounters.startConnector(target)).isFalse();
            try (var counters = RequestCounters.open(target, clock)) {
                TomcatVictim.ask(TomcatVictim.ports(dir).getFirst(), 10);
                now.addAndGet(Duration.ofSeconds(1).toNanos());

                assertThat(counters.take().perS()).isBetween(9.0, 10.0);
            }
        }
    }

    @Test
    void tomcatWithoutMBeansHasNoCounter() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "no-beans", JMX)) {
            assertThatThrownBy(() -> RequestCounters.open(target, clock).close())
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e ->
                                    assertThat(e.fix())
                                            .contains("server.tomcat.mbeanregistry.enabled=true"));
        }
    }

    @Test
    void endedTargetIsAnErrorWithoutEndlessWait() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans", JMX);
                var counters = RequestCounters.open(target, clock)) {
            Victims.kill(target);

            assertThatThrownBy(counters::take)
                    .isInstanceOfSatisfying(
                            UserError.class, e -> assertThat(e.why()).contains("JMX"));
        }
    }

    @Tag("full") // waits for the limit of a target that does not answer
    @Test
    void stoppedTargetCostsOnlyTimeLimit() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans", JMX);
                var counters = RequestCounters.open(target, clock)) {
            Victims.stop(target);
            try {
                assertThatThrownBy(counters::take)
                        .isInstanceOfSatisfying(
                                UserError.class,
                                e -> assertThat(e.why()).contains("no answer over JMX within"));
            } finally {
                ProcessSignals.send("CONT", target.pid());
            }
        }
    }
}
