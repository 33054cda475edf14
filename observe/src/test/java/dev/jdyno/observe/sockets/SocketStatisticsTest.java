package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Sampling with other commands in place of `ss`.
class SocketStatisticsTest {
    private final AtomicLong now = new AtomicLong();
    private long perReading;

    /// A clock that advances at each reading.
    private long nanos() {
        return now.getAndAdd(perReading);
    }

    private static SocketStatistics by(String... command) {
        return new SocketStatistics(NetworkCommand.here(List.of(command)));
    }

    @Test
    void delaysNextSampleAfterSlowSample() throws InterruptedException {
        SocketStatistics ss = by("echo", "");
        NanoClock clock = this::nanos;
        perReading = 300_000_000;
        assertThat(ss.ask(clock)).isPresent();
        perReading = 0;

        assertThat(ss.ask(clock)).as("too soon").isEmpty();
        assertThat(ss.missing().orElseThrow().text()).contains("ss: 1 of 2 samples", "0.30 s");
        now.addAndGet(3_000_000_000L);
        assertThat(ss.ask(clock)).isPresent();
        assertThat(ss.missing().orElseThrow().text()).contains("2 of 3 samples");
    }

    @Test
    void reportsMissingCommandAndItsConsequences() throws InterruptedException {
        SocketStatistics ss = by("no-such-command-of-jdyno");

        assertThat(ss.ask(NanoClock.SYSTEM)).isEmpty();
        assertThat(ss.missing().orElseThrow().text())
                .startsWith("ss: ")
                .contains("iproute2", "asynchronous clients");
    }

    @Test
    void completeSamplesHaveNothingMissing() throws InterruptedException {
        SocketStatistics ss = by("echo", "");
        ss.ask(this::nanos);
        ss.ask(this::nanos);

        assertThat(ss.missing()).isEmpty();
    }
}
