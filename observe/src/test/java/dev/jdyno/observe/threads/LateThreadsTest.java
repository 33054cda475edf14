package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which thread a stop waited for: the one that used CPU while the others stood.
class LateThreadsTest {
    private static JavaThread thread(long tid, State state, double cpuMs, String... frames) {
        return new JavaThread(
                "t-" + tid,
                tid,
                state,
                Optional.of(cpuMs),
                List.of(frames),
                Optional.empty(),
                List.of());
    }

    private static ThreadDump dump(double loopCpuMs, double requestCpuMs) {
        return new ThreadDump(
                List.of(
                        thread(7, State.RUNNABLE, requestCpuMs, "com.acme.Page.get"),
                        thread(8, State.WAITING, 1e6, "java.lang.Thread.sleep"),
                        thread(
                                9,
                                State.RUNNABLE,
                                loopCpuMs,
                                "java.lang.System.arraycopy",
                                "com.acme.Prices.sum",
                                "java.lang.Thread.run")));
    }

    private static Optional<String> late(double syncMs, ThreadDump... dumps) {
        var late = new LateThreads();
        for (ThreadDump dump : dumps) {
            late.add(dump, syncMs);
        }
        return late.signals().place(Sign.SAFEPOINT_SYNC_SHARE);
    }

    @Test
    void theThreadThatRanOnIsNamedByItsInnermostMethodThatIsNotTheJdks() {
        assertThat(late(460, dump(0, 0), dump(470, 30), dump(940, 60)))
                .contains("com.acme.Prices.sum");
    }

    @Test
    void aStopThatNoThreadWasLateForNamesNone() {
        assertThat(late(0.2, dump(0, 0), dump(470, 30))).isEmpty();
    }

    /// All threads lack a core: none of them ran while the stop waited.
    @Test
    void threadsThatDidNotRunMeanwhileAreNotNamed() {
        assertThat(late(460, dump(0, 0), dump(40, 30), dump(80, 60))).isEmpty();
    }

    @Test
    void aSingleDumpDoesNotShowWhoRan() {
        assertThat(late(460, dump(5000, 30))).isEmpty();
    }

    @Test
    void theValueOfTheSignIsLeftAsItWasCounted() {
        var late = new LateThreads();
        late.add(dump(0, 0), 460);
        late.add(dump(470, 30), 460);

        assertThat(late.signals().values()).isEmpty();
    }
}
