package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.statistics.Throughput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Minutes of a service whose metrics are slow, fail, or count no requests.
class OwnMetricsTest {
    private MetricsServer server;
    private OwnMetrics own;

    @BeforeEach
    void start() throws Exception {
        server = new MetricsServer();
        own = server.metrics();
        own.begin();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// @param seconds time that passes, with 10 requests each
    private void pass(double seconds) {
        server.pass(seconds, Math.round(10 * seconds));
    }

    private double perS() {
        return own.throughput().map(Throughput::perS).orElseThrow();
    }

    @Test
    void readingsTakeAtMostTwoPercentOfTheTime() throws Exception {
        server.take(0.2);
        pass(5);
        own.look();
        pass(9.7);
        assertThat(own.mayRead()).isFalse();
        pass(0.11);
        assertThat(own.mayRead()).isTrue();
    }

    /// The next reading is fast, and so are those after it.
    @Test
    void readingAfterASlowOneComesWithinAMinute() throws Exception {
        server.take(10);
        own.look();
        pass(49);
        assertThat(own.mayRead()).isFalse();
        pass(1.1);
        assertThat(own.mayRead()).isTrue();

        server.take(0);
        own.look();
        assertThat(own.mayRead()).isTrue();
    }

    @Test
    void minuteWithoutAReadingIsCountedWithTheNextOne() throws Exception {
        pass(60);
        own.look();
        own.turn();
        assertThat(perS()).isCloseTo(10, within(1e-9));
        assertThat(own.countsRequests()).isTrue();

        pass(60);
        own.turn();
        assertThat(own.throughput()).isEmpty();
        assertThat(own.countsRequests()).isTrue();

        server.pass(60, 1800);
        own.look();
        own.turn();
        assertThat(perS()).isCloseTo(20, within(1e-9));
        assertThat(own.countsRequests()).isTrue();
        assertThat(own.missing()).isEmpty();
    }

    @Test
    void twoMinutesWithoutAReadingAreNotCountedByTheService() throws Exception {
        pass(60);
        own.look();
        own.turn();

        server.fail(true);
        for (boolean counts : new boolean[] {true, false, false}) {
            pass(60);
            own.look();
            own.turn();
            assertThat(own.throughput()).isEmpty();
            assertThat(own.countsRequests()).isEqualTo(counts);
        }

        // the time of all failed readings says little about the last minute
        server.fail(false);
        pass(60);
        own.look();
        own.turn();
        assertThat(own.throughput()).isEmpty();

        pass(60);
        own.look();
        own.turn();
        assertThat(perS()).isCloseTo(10, within(1e-9));
        assertThat(own.countsRequests()).isTrue();
    }

    /// The minute ends at the reading before, and the next one begins there.
    @Test
    void minuteWhoseLastReadingFailsIsCounted() throws Exception {
        pass(50);
        own.look();
        server.fail(true);
        server.pass(10, 600);
        own.look();
        own.turn();
        assertThat(perS()).isCloseTo(10, within(1e-9));

        server.fail(false);
        server.pass(50, 0);
        own.look();
        own.turn();
        assertThat(perS()).isCloseTo(10, within(1e-9));
        assertThat(own.missing()).hasSize(1);
    }

    @Test
    void observationWhoseLastReadingFailsEndsAtTheOneBefore() throws Exception {
        pass(600);
        own.look();
        server.fail(true);
        pass(5);
        own.end();

        assertThat(perS()).isCloseTo(10, within(1e-9));
    }

    @Test
    void minuteWithoutRequestsHasThroughputOfZero() throws Exception {
        server.pass(60, 0);
        own.look();
        own.turn();

        assertThat(perS()).isEqualTo(0);
        assertThat(own.throughput().orElseThrow().source()).isEqualTo(Throughput.Source.METRICS);
        assertThat(own.countsRequests()).isTrue();
    }
}
