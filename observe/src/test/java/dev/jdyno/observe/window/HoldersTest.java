package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.Source;
import dev.jdyno.observe.stacks.ThreadDump.State;
import dev.jdyno.observe.threads.SampledThread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The code of a thread that holds what other threads wait for.
class HoldersTest {
    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    private SampledThread thread(long id, State state, List<String> frames, Source... last) {
        var thread =
                new JavaThread(
                        "http-" + id,
                        id,
                        state,
                        Optional.empty(),
                        frames,
                        Optional.empty(),
                        List.of(),
                        false,
                        Stream.concat(
                                        Stream.generate(Optional::<Source>empty)
                                                .limit(frames.size() - last.length),
                                        Stream.of(last).map(Optional::of))
                                .toList());
        return new SampledThread(classifier.classify(thread), Optional.empty(), false);
    }

    private SampledThread waiting(long id) {
        return thread(
                id,
                State.WAITING,
                List.of(
                        "jdk.internal.misc.Unsafe.park",
                        "java.util.concurrent.locks.LockSupport.park",
                        "java.util.concurrent.locks.ReentrantLock.lock",
                        "com.acme.Shelf.take",
                        "jakarta.servlet.http.HttpServlet.service"),
                new Source("Shelf.java", 33),
                new Source("HttpServlet.java", 500));
    }

    private SampledThread holding(int line) {
        return thread(
                9,
                State.RUNNABLE,
                List.of(
                        "sun.nio.ch.Net.poll",
                        "sun.nio.ch.NioSocketImpl.implRead",
                        "java.net.Socket$SocketInputStream.read",
                        "com.acme.Depot.ask",
                        "com.acme.Shelf.take",
                        "jakarta.servlet.http.HttpServlet.service"),
                new Source("Depot.java", 30),
                new Source("Shelf.java", line),
                new Source("HttpServlet.java", 500));
    }

    private static ThreadSamples.Busy lock(List<List<SampledThread>> dumps) {
        var tally = new ThreadSampleTally();
        dumps.forEach(tally::add);
        return tally.places(100, Map.of(), 0).busy().stream()
                .filter(b -> b.cause() == Cause.LOCK)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void holderHasItsMostFrequentLine() {
        ThreadSamples.Busy lock =
                lock(
                        List.of(
                                List.of(waiting(1), holding(40)),
                                List.of(waiting(1), holding(36)),
                                List.of(waiting(1), holding(36))));

        assertThat(lock.holderStack())
                .extracting(SourceLine::method, SourceLine::text)
                .containsExactly(
                        tuple("com.acme.Depot.ask", "Depot.java:30"),
                        tuple("com.acme.Shelf.take", "Shelf.java:36"));
    }

    @Test
    void holderMissingInDumpsHasNoStack() {
        assertThat(lock(List.of(List.of(waiting(1), waiting(2)))).holderStack()).isEmpty();
    }
}
