package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.RecordedDumpTest;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.SampledThread;
import dev.jdyno.observe.threads.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ThreadSampleTallyTest {
    /// Waits for an answer over gRPC. Another thread reads from its connection.
    private static final List<String> ASKS =
            List.of(
                    "jdk.internal.misc.Unsafe.park",
                    "java.util.concurrent.locks.LockSupport.park",
                    "io.grpc.stub.ClientCalls$ThreadlessExecutor.waitAndDrain",
                    "io.grpc.stub.ClientCalls.blockingUnaryCall",
                    "com.acme.Gate.get",
                    "jakarta.servlet.http.HttpServlet.service");

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    /// Jetty's selectors are threads of the serving pool and have the same names.
    @Test
    void selectorIsNoIdleThreadOfItsPool() {
        var tally = new ThreadSampleTally();
        List<SampledThread> seen = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            var serves =
                    RecordedDumpTest.named(
                            "qtp1537358694-3" + i,
                            i,
                            List.of(
                                    "com.acme.Page.get",
                                    "org.eclipse.jetty.server.HttpChannel.handle"));
            seen.add(new SampledThread(classifier.classify(serves), Optional.empty(), false));
        }
        var selects =
                RecordedDumpTest.named(
                        "qtp1537358694-37",
                        7,
                        List.of(
                                "sun.nio.ch.EPoll.wait",
                                "sun.nio.ch.EPollSelectorImpl.doSelect",
                                "sun.nio.ch.SelectorImpl.lockAndDoSelect",
                                "sun.nio.ch.SelectorImpl.select",
                                "org.eclipse.jetty.io.ManagedSelector.nioSelect",
                                "org.eclipse.jetty.io.ManagedSelector.select",
                                "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select",
                                "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.produce",
                                "org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy.produce",
                                "org.eclipse.jetty.util.thread.QueuedThreadPool.runJob",
                                "java.lang.Thread.run"));
        seen.add(new SampledThread(classifier.classify(selects), Optional.empty(), false));
        tally.add(seen);

        List<ThreadSamples.Pool> pools = tally.places(100, Map.of(), 0).pools();

        assertThat(pools)
                .extracting(
                        ThreadSamples.Pool::name,
                        ThreadSamples.Pool::size,
                        ThreadSamples.Pool::busy)
                .containsExactlyInAnyOrder(tuple("qtp", 7.0, 7.0), tuple("qtp selector", 1.0, 0.0));
    }

    /// Two of six virtual threads were sampled. A platform thread counts only for itself.
    @Test
    void countsRepresentativeThreadByItsWeight() {
        var waits =
                RecordedDumpTest.named(
                        "virtual",
                        VirtualThreads.TID,
                        List.of(
                                "java.lang.VirtualThread.sleepNanos",
                                "java.lang.Thread.sleep",
                                "com.acme.Page.get",
                                "org.eclipse.jetty.server.HttpChannel.handle"));
        var same = RecordedDumpTest.named("qtp1-3", 7, waits.frames());
        var tally = new ThreadSampleTally();
        tally.add(
                List.of(
                        new SampledThread(classifier.classify(waits), Optional.empty(), false, 3),
                        new SampledThread(classifier.classify(waits), Optional.empty(), false, 3),
                        seen(same)));

        ThreadPlaces threadSamples = tally.places(100, Map.of(), 0);

        assertThat(threadSamples.threads(Cause.SLEEP)).isEqualTo(7);
        assertThat(threadSamples.pools())
                .extracting(
                        ThreadSamples.Pool::name,
                        ThreadSamples.Pool::size,
                        ThreadSamples.Pool::busy,
                        ThreadSamples.Pool::virtual)
                .containsExactlyInAnyOrder(
                        tuple("virtual", 6.0, 6.0, true), tuple("qtp", 1.0, 1.0, false));
    }

    /// A gateway over gRPC in the same JVM. No thread waits on the connection of its calls, and
    /// every other peer has a waiting thread.
    @Test
    void callToTargetItselfIsTaskWait() {
        var answers =
                List.of(
                        "sun.nio.ch.Net.poll",
                        "sun.nio.ch.NioSocketImpl.park",
                        "sun.nio.ch.NioSocketImpl.read",
                        "com.acme.Prices.get",
                        "io.grpc.stub.ServerCalls$UnaryServerCallHandler.invoke");
        var tally = new ThreadSampleTally();
        tally.add(
                List.of(
                        seen(waiting("gate-1", 1, ASKS)),
                        seen(waiting("gate-2", 2, ASKS)),
                        new SampledThread(
                                classifier.classify(RecordedDumpTest.named("rpc-1", 3, answers)),
                                Optional.of("10.0.0.7:9000"),
                                false)));
        tally.downstreams(Set.of("127.0.0.1:9001", "10.0.0.7:9000"));
        var itself = new Calls(PlaceText.peer("127.0.0.1:9001"), 1, 1, 1);

        assertThat(tally.places(100, Map.of(), 0).threads(Cause.DOWNSTREAM)).isEqualTo(3);

        tally.callsItself(
                Set.of("127.0.0.1:9001"),
                List.of(itself, new Calls(PlaceText.peer("10.0.0.7:9000"), 1, 1, 1)));
        ThreadPlaces threadSamples = tally.places(100, Map.of(), 0);

        assertThat(threadSamples.awaitingItself()).isEqualTo(2);
        assertThat(threadSamples.byPlace(Cause.DOWNSTREAM))
                .containsOnly(Map.entry(PlaceText.peer("10.0.0.7:9000"), 1.0));
    }

    /// An asynchronous client calls another service, so the waiting requests are unknown.
    @Test
    void possibleDownstreamCallIsNoSelfCall() {
        var tally = new ThreadSampleTally();
        tally.add(List.of(seen(waiting("gate-1", 1, ASKS))));
        tally.downstreams(Set.of("127.0.0.1:9001", "10.0.0.7:9000"));

        tally.callsItself(
                Set.of("127.0.0.1:9001"),
                List.of(
                        new Calls(PlaceText.peer("127.0.0.1:9001"), 1, 1, 1),
                        new Calls(PlaceText.peer("10.0.0.7:9000"), 1, 1, 1)));

        assertThat(tally.places(100, Map.of(), 0).awaitingItself()).isZero();
    }

    /// GlassFish passes each configuration listener to an executor of one thread. It then waits for
    /// changes for ever, which is no task of a request.
    @Test
    void executorWithoutTasksServesNoRequest() {
        var listens =
                List.of(
                        "jdk.internal.misc.Unsafe.park",
                        "java.util.concurrent.locks.LockSupport.park",
                        "java.util.concurrent.LinkedBlockingQueue.take",
                        "com.acme.Listener.run",
                        "java.util.concurrent.ThreadPoolExecutor.runWorker");
        var serves = List.of("com.acme.Page.get", "jakarta.servlet.http.HttpServlet.service");
        var tally = new ThreadSampleTally();
        tally.add(
                List.of(
                        seen(RecordedDumpTest.named("http-1", 1, serves)),
                        seen(waiting("listener-1", 2, listens))));

        var still = Map.of(1L, new CoreUse(0.1, 0), 2L, new CoreUse(0, 0));
        var moving = Map.of(1L, new CoreUse(0.1, 0), 2L, new CoreUse(0.001, 0));
        var nobodyServed = Map.of(1L, new CoreUse(0, 0), 2L, new CoreUse(0, 0));

        assertThat(tally.places(100, still, 0).threads(Cause.POOL)).isZero();
        assertThat(tally.places(0, still, 0).threads(Cause.POOL)).isZero();
        assertThat(tally.places(100, moving, 0).threads(Cause.POOL)).isEqualTo(1);
        assertThat(tally.places(100, Map.of(), 0).threads(Cause.POOL)).isEqualTo(1);
        assertThat(tally.places(0, nobodyServed, 0).threads(Cause.POOL)).isEqualTo(1);
    }

    private SampledThread seen(JavaThread thread) {
        return new SampledThread(classifier.classify(thread), Optional.empty(), false);
    }

    private static JavaThread waiting(String name, long id, List<String> stack) {
        return new JavaThread(
                name, id, State.WAITING, Optional.empty(), stack, Optional.empty(), List.of());
    }

    private SampledThread at(State state, long id, String peer, String... frames) {
        List<String> stack = new ArrayList<>(List.of(frames));
        stack.add("jakarta.servlet.http.HttpServlet.service");
        var thread =
                new JavaThread(
                        "http-" + id,
                        id,
                        state,
                        Optional.empty(),
                        stack,
                        Optional.empty(),
                        List.of());
        return new SampledThread(
                classifier.classify(thread), Optional.of(peer).filter(p -> !p.isEmpty()), false);
    }

    private SampledThread reading(long id) {
        return at(
                State.WAITING,
                id,
                "",
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.LockSupport.park",
                "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
                "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock",
                "com.acme.Harbour.where");
    }

    private SampledThread calling(long id) {
        return at(
                State.RUNNABLE,
                id,
                "10.0.0.7:80",
                "sun.nio.ch.Net.poll",
                "sun.nio.ch.NioSocketImpl.implRead",
                "java.net.Socket$SocketInputStream.read",
                "com.acme.Harbour.assign");
    }

    private static Optional<String> holder(List<SampledThread> dump) {
        var tally = new ThreadSampleTally();
        tally.add(dump);
        return tally.places(100, Map.of(), 0).busy().stream()
                .filter(b -> b.cause() == Cause.LOCK)
                .findFirst()
                .orElseThrow()
                .holder()
                .map(Holder::text);
    }

    /// A write lock is held in one method, and other threads wait for it in another method.
    @Test
    void onlyThreadThatDoesNotWaitProbablyHoldsLock() {
        assertThat(holder(List.of(reading(1), reading(2), calling(3))))
                .contains("probably downstream: 10.0.0.7:80 in com.acme.Harbour.assign");
        assertThat(holder(List.of(reading(1), reading(2), calling(3), calling(4)))).isEmpty();
    }

    /// Each request creates a pool. `invokeAll` submits the tasks, which starts threads.
    @Test
    void startingThreadsIsNotWaitingForTheirTasks() {
        SampledThread starts =
                at(
                        State.RUNNABLE,
                        1,
                        "",
                        "java.lang.Thread.start0",
                        "java.lang.Thread.start",
                        "java.util.concurrent.ThreadPoolExecutor.addWorker",
                        "java.util.concurrent.ThreadPoolExecutor.execute",
                        "java.util.concurrent.AbstractExecutorService.invokeAll",
                        "com.acme.Bakery.offers");

        assertThat(starts.thread().doing().orElseThrow().cause()).isEqualTo(Cause.THREAD_START);
    }

    /// Other dumps found this loop at its sockets. No frame identifies its framework.
    @Test
    void loopThatWaitsOutsideSelectorIsBusy() {
        var call =
                RecordedDumpTest.named(
                        "main",
                        1,
                        List.of(
                                "sun.nio.ch.Net.poll",
                                "sun.nio.ch.NioSocketImpl.park",
                                "sun.nio.ch.NioSocketImpl.implRead",
                                "java.net.Socket$SocketInputStream.read",
                                "sun.net.www.protocol.http.HttpURLConnection.getInputStream",
                                "com.acme.Parcels.ask",
                                "com.acme.net.Reactor.dispatch",
                                "com.acme.net.Reactor.run",
                                "com.acme.Parcels.main"));
        Classified main = classifier.classify(call);

        assertThat(atWork(main.asLoop())).isEqualTo(1);
        assertThat(atWork(main)).isZero();
    }

    private static double atWork(Classified thread) {
        var tally = new ThreadSampleTally();
        tally.add(List.of(new SampledThread(thread, Optional.of("10.0.0.7:80"), false)));
        return tally.places(100, Map.of(), 0).threads(Cause.DOWNSTREAM);
    }

    /// A server that no frame identifies, with one thread for each connection. All threads force
    /// data to disk.
    private static List<String> keeping() {
        return List.of(
                "sun.nio.ch.FileDispatcherImpl.force0",
                "sun.nio.ch.FileChannelImpl.force",
                "com.acme.Archive.keep",
                "com.acme.Server$Handler.run",
                "java.lang.Thread.run");
    }

    private ThreadPlaces unknown(double requestsInside) {
        var tally = new ThreadSampleTally();
        List<SampledThread> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            var thread = RecordedDumpTest.named("handler-" + i, i, keeping());
            seen.add(new SampledThread(classifier.classify(thread), Optional.empty(), false));
        }
        tally.add(seen);
        tally.requestsInside(requestsInside);
        return tally.places(100, Map.of(), 0);
    }

    @Test
    void threadsOfUnknownServerWorkIfKernelCountsRequests() {
        assertThat(unknown(19.5).threads(Cause.DISK)).isEqualTo(20);
        assertThat(unknown(19.5).pools())
                .singleElement()
                .satisfies(p -> assertThat(p.serving()).isTrue());
    }

    @Test
    void diskWaitersThatDoNotMatchRequestsAreIdle() {
        assertThat(unknown(0).busyThreads()).isZero();
        // far fewer threads than requests, so the requests are at another place
        assertThat(unknown(60).busyThreads()).isZero();
        // far more threads than requests, so most of them serve no request
        assertThat(unknown(8).busyThreads()).isZero();
    }

    /// Shenandoah stops an allocating worker: it is RUNNABLE in Java code, but on no core.
    @Test
    void workerStoppedByJvmIsBusyAndWorkerInNativeCodeIsUncertain() {
        var tally = new ThreadSampleTally();
        tally.add(List.of(worker(1, true), worker(2, true), worker(3, false)));
        ThreadPlaces threadSamples = tally.places(100, Map.of(1L, new CoreUse(0.01, 0)), 0);

        assertThat(threadSamples.pools())
                .singleElement()
                .satisfies(p -> assertThat(p.busy()).isEqualTo(2));
        assertThat(threadSamples.busy())
                .filteredOn(b -> b.cause() == Cause.OTHER)
                .singleElement()
                .satisfies(b -> {
                    assertThat(b.where()).isEqualTo("the JVM itself");
                    assertThat(b.threads()).isBetween(1.9, 2.0);
                });
    }

    private SampledThread worker(long id, boolean inJava) {
        var thread =
                new JavaThread(
                        "worker-" + id,
                        id,
                        State.RUNNABLE,
                        Optional.empty(),
                        List.of(
                                "com.acme.Studio.thumb",
                                "java.util.concurrent.ThreadPoolExecutor.runWorker"),
                        Optional.empty(),
                        List.of(),
                        inJava,
                        List.of());
        return new SampledThread(classifier.classify(thread), Optional.empty(), false);
    }
}
