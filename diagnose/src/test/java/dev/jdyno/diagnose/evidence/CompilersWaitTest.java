package dev.jdyno.diagnose.evidence;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// JIT compilers wait for a core because of neighbours. They are in the kernel's run queue, but no
/// thread of the service is.
class CompilersWaitTest {
    @ParameterizedTest
    @CsvSource({"0, true", "0.4, true", "1.8, false", "2.5, false"})
    void cpuIsShortOnlyIfServingThreadsWait(double compilers, boolean isShort) {
        Evidence pages =
                beside().pool(
                                new ThreadSamples.Pool(
                                        "http-nio-exec",
                                        30,
                                        0.2,
                                        29.8,
                                        5,
                                        true,
                                        false,
                                        0.5,
                                        Map.of()))
                        .busy(Cause.RUN_QUEUE, "run queue", 0.2)
                        .unread(3)
                        .sign(Sign.JIT_WAITED_CORES, compilers)
                        .build();

        assertThat(pages.cpuIsShort()).isEqualTo(isShort);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1.8, false"})
    void cpuIsShortOnlyIfEventLoopsWait(double compilers, boolean wanted) {
        Evidence loops =
                beside().pool(
                                new ThreadSamples.Pool(
                                        "loop", 4, 0.4, 3.6, 0, true, true, 0.6, Map.of()))
                        .busy(Cause.CPU, "sun.nio.ch.SocketDispatcher.write0", 0.4)
                        .sign(Sign.HOTTEST_THREAD_CORES, 0.4)
                        .sign(Sign.JIT_WAITED_CORES, compilers)
                        .build();

        assertThat(
                        new CpuShortage(loops)
                                .coresWanted()
                                .filter(c -> c >= CpuShortage.WANTS_CORES)
                                .isPresent())
                .isEqualTo(wanted);
    }

    private static OneWindow beside() {
        return OneWindow.of(
                round(20, 45_000)
                        .cores(0.79)
                        .client(0.29)
                        .others(0.89)
                        .waitingForCores(1.9)
                        .build());
    }
}
