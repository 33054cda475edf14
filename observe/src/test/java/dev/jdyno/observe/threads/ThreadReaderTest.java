package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.RecordedDumpTest;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadReaderTest {
    private static final List<String> SELECTS =
            List.of(
                    "sun.nio.ch.EPoll.wait",
                    "sun.nio.ch.EPollSelectorImpl.doSelect",
                    "sun.nio.ch.SelectorImpl.lockAndDoSelect",
                    "sun.nio.ch.SelectorImpl.select",
                    "com.acme.net.Reactor.run");

    private static final List<String> COMPUTES =
            List.of("com.acme.Prices.of", "com.acme.net.Reactor.run");

    @TempDir Path proc;
    private ProcFs empty;
    private ThreadReader reader;

    @BeforeEach
    void readsTheThreadsOfAProcessOfWhichNothingElseIsKnown() {
        empty = new ProcFs(proc);
        reader = new ThreadReader(empty, 1, new StackClassifier(Frames.builtIn()));
    }

    @Test
    void recognisesBusyLoopFromEarlierDump() {
        assertThat(isLoop(RecordedDumpTest.named("reactor-1", 7, SELECTS))).isTrue();
        assertThat(isLoop(RecordedDumpTest.named("reactor-1", 7, COMPUTES))).isTrue();
    }

    /// Each request creates an HTTP client, which starts a selector thread. When thread numbers are
    /// reused, a worker may get the number of such a thread.
    @Test
    void aWorkerWithTheNumberOfALoopThatEndedIsNoLoop() {
        assertThat(isLoop(RecordedDumpTest.named("HttpClient-7-SelectorManager", 7, SELECTS)))
                .isTrue();
        assertThat(isLoop(RecordedDumpTest.named("http-nio-8080-exec-34", 7, COMPUTES))).isFalse();
    }

    private boolean isLoop(JavaThread thread) {
        List<SampledThread> seen =
                reader.read(
                        new ThreadDump(List.of(thread)),
                        VirtualSample.NONE,
                        Sockets.read(empty, 1, Set.of()));
        return seen.getFirst().thread().loop();
    }
}
