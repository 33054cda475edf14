package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The thread for which a stop waited is the one that used CPU while the others stood.
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

    /// No thread had used CPU before.
    private static final SchedProbe.Reading BEFORE = before(0, 0);

    private static SchedProbe.Reading before(double loopCpuMs, double requestCpuMs) {
        return new SchedProbe.Reading(
                Map.of(
                        7L, new SchedProbe.Times(Math.round(requestCpuMs * 1e6), 0),
                        8L, new SchedProbe.Times(Math.round(1e12), 0),
                        9L, new SchedProbe.Times(Math.round(loopCpuMs * 1e6), 0)),
                0);
    }

    private static Optional<String> late(
            double syncMs, SchedProbe.Reading before, ThreadDump dump) {
        var late = new LateThreads();
        late.add(dump, syncMs, before);
        return late.signals().place(Sign.SAFEPOINT_SYNC_SHARE);
    }

    @Test
    void namesLateThreadByItsInnermostApplicationMethod() {
        assertThat(late(460, before(470, 30), dump(940, 60))).contains("com.acme.Prices.sum");
    }

    @Test
    void namesNoThreadForPromptStop() {
        assertThat(late(0.2, BEFORE, dump(470, 30))).isEmpty();
    }

    /// No thread had a core, so none ran while the stop waited.
    @Test
    void omitsThreadsThatDidNotRunDuringStop() {
        assertThat(late(460, BEFORE, dump(40, 30))).isEmpty();
    }

    /// A service at twice its knee. Each thread computed for 70 ms since the previous dump, two
    /// seconds ago. While the stop waited 80 ms for the turns of the others, it ran only 3 ms.
    @Test
    void omitsThreadsThatRanOnlyBeforeStop() {
        var late = new LateThreads();
        late.add(dump(0, 0), 0.1, BEFORE);
        late.add(dump(70, 70), 80, before(67, 67));

        assertThat(late.signals().place(Sign.SAFEPOINT_SYNC_SHARE)).isEmpty();
    }

    @Test
    void omitsThreadWithUnknownEarlierTime() {
        var unread = new SchedProbe.Reading(Map.of(), 0);

        assertThat(late(460, unread, dump(5000, 30))).isEmpty();
    }

    @Test
    void addsNoValueToCountedSign() {
        var late = new LateThreads();
        late.add(dump(470, 30), 460, BEFORE);

        assertThat(late.signals().values()).isEmpty();
    }
}
