package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.SampledThread;
import dev.jdyno.observe.threads.VirtualThreads;
import dev.jdyno.observe.window.ThreadSampleTally;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every recorded state is tested against every cause. Only its own cause may match.
public class RecordedDumpTest {
    private static final String SERVING = "org.apache.coyote.AbstractProcessorLight.process";

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    static Stream<Arguments> recorded() {
        return Stream.of("17", "25")
                .flatMap(jdk ->
                        Stream.of(
                                Arguments.of(jdk, "monitor", Set.of(Cause.LOCK, Cause.CPU)),
                                Arguments.of(jdk, "lock", Set.of(Cause.LOCK, Cause.CPU)),
                                Arguments.of(
                                        jdk, "lock-over-sleep", Set.of(Cause.LOCK, Cause.SLEEP)),
                                Arguments.of(jdk, "sleep", Set.of(Cause.SLEEP)),
                                Arguments.of(jdk, "semaphore", Set.of(Cause.POOL)),
                                Arguments.of(jdk, "read", Set.of(Cause.DOWNSTREAM)),
                                Arguments.of(jdk, "future", Set.of(Cause.FUTURE)),
                                Arguments.of(jdk, "disk", Set.of(Cause.DISK)),
                                Arguments.of(jdk, "log", Set.of(Cause.LOGGING)),
                                Arguments.of(jdk, "burn", Set.of(Cause.CPU))));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void findsFourBusyThreadsInTheirState(String jdk, String state, Set<Cause> causes)
            throws IOException {
        ThreadPlaces threadSamples = census(dump(jdk, state));

        assertThat(threadSamples.busyThreads()).isEqualTo(4);
        var found = EnumSet.noneOf(Cause.class);
        threadSamples.busy().stream()
                .filter(b -> b.threads() > 0)
                .forEach(b -> found.add(b.cause()));
        assertThat(found).isEqualTo(causes);
        assertThat(threadSamples.pools())
                .filteredOn(p -> p.busy() > 0)
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.name()).isEqualTo("pool-1-thread");
                    assertThat(p.size()).isEqualTo(6);
                    assertThat(p.idle()).isEqualTo(2);
                    assertThat(p.minIdle()).isEqualTo(2);
                    assertThat(p.serving()).isFalse();
                    assertThat(p.loop()).isFalse();
                    assertThat(p.doing().keySet()).isEqualTo(doing(causes));
                });
    }

    /// Pool statistics do not distinguish a thread on a core from one that waits for a core.
    private static Set<Cause> doing(Set<Cause> causes) {
        var doing = EnumSet.copyOf(causes);
        if (doing.remove(Cause.RUN_QUEUE)) {
            doing.add(Cause.CPU);
        }
        return doing;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void readsHolderOfMonitorAndInfersHolderOfOtherLock(String jdk) throws IOException {
        assertThat(holder(census(dump(jdk, "monitor")))).contains("cpu: Victim.burn");
        assertThat(holder(census(dump(jdk, "lock-over-sleep"))))
                .contains("sleep: sleep in Victim.work");
        assertThat(holder(census(dump(jdk, "lock")))).contains("probably cpu: Victim.burn");
        assertThat(holder(census(dump(jdk, "log"))).orElseThrow()).contains("writing");
    }

    private static Optional<String> holder(ThreadPlaces threadSamples) {
        return threadSamples.busy().stream()
                .filter(b -> b.holder().isPresent())
                .findFirst()
                .flatMap(ThreadSamples.Busy::holder)
                .map(Holder::text);
    }

    static Stream<String> jdks() {
        return Stream.of("17", "25");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void readsKernelIdCpuTimeAndLocksOfThread(String jdk) throws IOException {
        var threads = dump(jdk, "monitor").threads();

        var holder = threads.stream().filter(t -> !t.locked().isEmpty()).findFirst().orElseThrow();
        assertThat(holder.name()).startsWith("pool-1-thread-");
        assertThat(holder.tid()).isBetween(2L, 4_194_304L);
        assertThat(holder.cpuMs().orElseThrow()).isPositive();
        assertThat(holder.frames().get(holder.frames().size() - 1))
                .isEqualTo("java.lang.Thread.run");
        assertThat(threads)
                .filteredOn(t -> t.state() == ThreadDump.State.BLOCKED)
                .hasSize(3)
                .allSatisfy(t ->
                        assertThat(t.waitsFor().orElseThrow().id())
                                .isEqualTo(holder.locked().get(0)));
        assertThat(threads).noneMatch(t -> t.name().equals("VM Thread"));
    }

    @Test
    void textThatIsNoDumpGivesNoThreads() {
        assertThat(ThreadDump.parse("1234:\nsomething else\n\n\"unfinished").threads()).isEmpty();
    }

    private static ThreadDump dump(String jdk, String state) throws IOException {
        String name = "/dev/jdyno/observe/threads-" + jdk + "-" + state + ".txt";
        try (var in = RecordedDumpTest.class.getResourceAsStream(name)) {
            return ThreadDump.parse(
                    new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void readFromPageCacheIsCpu(String jdk) throws IOException {
        ThreadDump reads = renamed(dump(jdk, "disk"), "force", "pread");

        ThreadPlaces cached = census(reads, 1);
        ThreadPlaces halfCached = census(reads, 0.5);

        assertThat(cached.threads(Cause.CPU)).isEqualTo(4);
        assertThat(cached.busy().getFirst().where()).startsWith("file I/O in Victim");
        assertThat(halfCached.threads(Cause.CPU)).isEqualTo(2);
        assertThat(halfCached.threads(Cause.DISK)).isEqualTo(2);
    }

    @Test
    void attributesCpuOfCarriersToVirtualThreads() {
        var tally = new ThreadSampleTally();
        var virtual = named("virtual", VirtualThreads.TID, List.of("com.acme.Page.get", SERVING));
        var waiting = named("virtual", VirtualThreads.TID, List.of());
        var carrier = named("ForkJoinPool-1-worker-1", 7, List.of());
        tally.add(
                List.of(
                        new SampledThread(classifier.classify(virtual), Optional.empty(), false),
                        new SampledThread(
                                classifier.classify(waiting).waitingForCarrier(),
                                Optional.empty(),
                                false),
                        new SampledThread(classifier.classify(carrier), Optional.empty(), false)));

        ThreadPlaces threadSamples = tally.places(100, Map.of(7L, new CoreUse(0.75, 0.25)), 0);

        assertThat(VirtualThreads.waitsForCarrier(waiting)).isTrue();
        assertThat(VirtualThreads.waitsForCarrier(virtual)).isFalse();
        assertThat(threadSamples.threads(Cause.CPU)).isEqualTo(0.75);
        assertThat(threadSamples.threads(Cause.RUN_QUEUE)).isEqualTo(1.25);
        assertThat(threadSamples.busyThreads()).isEqualTo(2);
    }

    @Test
    void workThatMovesBetweenThreadsIsNotBlockedInNativeCode() {
        var tally = new ThreadSampleTally();
        Map<Long, CoreUse> cores = new HashMap<>();
        for (int dump = 0; dump < 5; dump++) { // five of the twenty threads are busy
            List<SampledThread> seen = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                List<String> stack = i == dump ? List.of("com.acme.Page.get", SERVING) : List.of();
                var thread = named("exec-" + i, i, stack);
                seen.add(new SampledThread(classifier.classify(thread), Optional.empty(), false));
                cores.put((long) i, new CoreUse(0.04, 0.01)); // 0.8 cores in total
            }
            tally.add(seen);
        }

        ThreadPlaces threadSamples = tally.places(100, cores, 0);

        assertThat(threadSamples.threads(Cause.CPU)).isCloseTo(0.8, within(1e-9));
        assertThat(threadSamples.threads(Cause.RUN_QUEUE)).isCloseTo(0.2, within(1e-9));
        assertThat(threadSamples.threads(Cause.OTHER)).isZero();
    }

    @Test
    void runnableThreadWithoutCpuTimeIsBlockedInNativeCode() {
        var tally = new ThreadSampleTally();
        var stuck = named("exec-1", 1, List.of("com.acme.Gpu.wait0", "com.acme.Page.get", SERVING));
        tally.add(List.of(new SampledThread(classifier.classify(stuck), Optional.empty(), false)));

        ThreadPlaces threadSamples = tally.places(10, Map.of(1L, new CoreUse(0.01, 0)), 0);

        assertThat(threadSamples.threads(Cause.OTHER)).isGreaterThan(0.9);
    }

    public static ThreadDump.JavaThread named(String name, long tid, List<String> frames) {
        return new ThreadDump.JavaThread(
                name,
                tid,
                ThreadDump.State.RUNNABLE,
                Optional.empty(),
                frames,
                Optional.empty(),
                List.of());
    }

    private static ThreadDump renamed(ThreadDump dump, String from, String to) {
        return new ThreadDump(
                dump.threads().stream()
                        .map(t ->
                                new ThreadDump.JavaThread(
                                        t.name(),
                                        t.tid(),
                                        t.state(),
                                        t.cpuMs(),
                                        t.frames().stream().map(f -> f.replace(from, to)).toList(),
                                        t.waitsFor(),
                                        t.locked()))
                        .toList());
    }

    private ThreadPlaces census(ThreadDump dump) {
        return census(dump, 1);
    }

    /// @param onCpu share of the time in which each thread was on a core
    private ThreadPlaces census(ThreadDump dump, double onCpu) {
        var tally = new ThreadSampleTally();
        tally.add(
                dump.threads().stream()
                        .map(t ->
                                new SampledThread(classifier.classify(t), Optional.empty(), false))
                        .toList());
        Map<Long, CoreUse> cores = new HashMap<>();
        dump.threads().forEach(t -> cores.put(t.tid(), new CoreUse(onCpu, 0)));
        return tally.places(100, cores, 0);
    }

    /// Stacks of frameworks, innermost frame first; the outer frames are omitted.
    static Stream<Arguments> frameworks() {
        String park =
                "jdk.internal.misc.Unsafe.park < java.util.concurrent.locks.LockSupport.park < ";
        String condition =
                park
                        + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await < ";
        String read =
                "sun.nio.ch.SocketDispatcher.read0 < sun.nio.ch.NioSocketImpl.implRead < java.net.Socket$SocketInputStream.read < ";
        String served = " < com.acme.Page.get < org.apache.coyote.AbstractProcessorLight.process";
        return Stream.of(
                Arguments.of(
                        "WAITING",
                        Cause.POOL,
                        "HikariCP in com.acme.Page.get",
                        park
                                + "java.util.concurrent.SynchronousQueue.poll < com.zaxxer.hikari.util.ConcurrentBag.borrow < com.zaxxer.hikari.pool.HikariPool.getConnection"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.POOL,
                        "Apache-HttpClient-5",
                        condition
                                + "org.apache.hc.core5.concurrent.BasicFuture.get < org.apache.hc.core5.pool.StrictConnPool$1.get"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.POOL,
                        "commons-pool",
                        condition
                                + "java.util.concurrent.LinkedBlockingDeque.takeFirst < org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.DATABASE,
                        "PostgreSQL ",
                        read
                                + "org.postgresql.core.VisibleBufferedInputStream.readMore < org.postgresql.jdbc.PgStatement.execute"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.CPU,
                        "org.postgresql.jdbc.PgResultSet.getInt in com.acme.Page.get",
                        "org.postgresql.jdbc.PgResultSet.getInt" + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.DOWNSTREAM,
                        "",
                        read
                                + "org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.DNS,
                        "DNS lookup",
                        "java.net.Inet6AddressImpl.lookupAllHostAddr < java.net.InetAddress$PlatformResolver.lookupByName < java.net.InetAddress.getAllByName"
                                + served),
                Arguments.of(
                        "BLOCKED",
                        Cause.LOGGING,
                        "logback waiting for",
                        "ch.qos.logback.core.OutputStreamAppender.writeBytes < ch.qos.logback.classic.Logger.info"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.LOGGING,
                        "logback",
                        condition
                                + "java.util.concurrent.ArrayBlockingQueue.put < ch.qos.logback.core.AsyncAppenderBase.put"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.LOGGING,
                        "logback formatting",
                        "java.lang.StackStreamFactory$AbstractStackWalker.callStackWalk < ch.qos.logback.classic.spi.CallerData.extract"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.LOGGING,
                        "System.out writing",
                        "java.io.FileOutputStream.writeBytes < java.io.PrintStream.println"
                                + served),
                Arguments.of(
                        "SLEEPING",
                        Cause.SLEEP,
                        "Guava-RateLimiter",
                        "java.lang.Thread.sleep < com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly < com.google.common.util.concurrent.RateLimiter.acquire"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.SLEEP,
                        "park in com.acme.Page.get",
                        "jdk.internal.misc.Unsafe.park < java.util.concurrent.locks.LockSupport.parkNanos"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.POOL,
                        "notification in com.acme.Page.get",
                        "java.lang.Object.wait0 < java.lang.Object.wait" + served),
                Arguments.of(
                        "WAITING",
                        Cause.POOL,
                        "notification in com.acme.Page.get",
                        condition
                                + "com.acme.Page.get < org.apache.coyote.AbstractProcessorLight.process"),
                Arguments.of(
                        "WAITING",
                        Cause.FUTURE,
                        "result of another task",
                        park
                                + "java.util.concurrent.FutureTask.awaitDone < java.util.concurrent.FutureTask.get"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.DOWNSTREAM,
                        "JDK-HttpClient ",
                        park
                                + "java.util.concurrent.CompletableFuture.get < jdk.internal.net.http.HttpClientImpl.send"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.THREAD_START,
                        "Thread.start",
                        "java.lang.Thread.start0 < java.lang.Thread.start" + served),
                Arguments.of(
                        "BLOCKED",
                        Cause.CLASS_LOADING,
                        "class loading",
                        "java.lang.ClassLoader.loadClass < java.lang.Class.forName0 < java.lang.Class.forName"
                                + served),
                Arguments.of(
                        "WAITING",
                        Cause.NETWORK,
                        "Tomcat waits for its client",
                        "java.lang.Object.wait < org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper.doWrite"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.DISK,
                        "fsync",
                        "sun.nio.ch.FileDispatcherImpl.force0 < sun.nio.ch.FileChannelImpl.force"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.CPU,
                        "java.util.regex.Matcher.find in com.acme.Page.get",
                        "java.util.regex.Pattern$Curly.match0 < java.util.regex.Matcher.find"
                                + served),
                Arguments.of(
                        "RUNNABLE",
                        Cause.CPU,
                        "java.lang.Throwable.fillInStackTrace in com.acme.Page.get",
                        "java.lang.Throwable.fillInStackTrace < java.lang.Exception.<init>"
                                + served));
    }

    @ParameterizedTest(name = "{1} {2}")
    @MethodSource("frameworks")
    void recognisesWaitFromFrameworkStack(String state, Cause cause, String where, String stack) {
        var seen = classifier.classify(thread(state, stack));

        assertThat(seen.serving()).isTrue();
        assertThat(seen.doing().orElseThrow().cause()).isEqualTo(cause);
        assertThat(seen.doing().orElseThrow().place().text()).startsWith(where);
    }

    /// Stacks of pool threads and event loops that wait for work.
    static Stream<String> idle() {
        String take =
                "jdk.internal.misc.Unsafe.park < java.util.concurrent.locks.LockSupport.park < java.util.concurrent.LinkedBlockingQueue.take < ";
        return Stream.of(
                take
                        + "org.apache.tomcat.util.threads.TaskQueue.take < java.util.concurrent.ThreadPoolExecutor.getTask < java.util.concurrent.ThreadPoolExecutor.runWorker",
                "sun.nio.ch.EPoll.wait < sun.nio.ch.EPollSelectorImpl.doSelect < sun.nio.ch.SelectorImpl.select < io.netty.channel.nio.NioEventLoop.run < io.netty.util.concurrent.SingleThreadEventExecutor$4.run",
                "jdk.internal.misc.Unsafe.park < java.util.concurrent.ForkJoinPool.awaitWork < java.util.concurrent.ForkJoinPool.runWorker",
                "sun.nio.ch.Net.accept < sun.nio.ch.ServerSocketChannelImpl.accept < org.apache.tomcat.util.net.NioEndpoint.serverSocketAccept",
                "jdk.internal.misc.Unsafe.park < org.eclipse.jetty.util.BlockingArrayQueue.poll < org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run",
                "java.lang.Object.wait < java.util.TimerThread.mainLoop < java.util.TimerThread.run",
                take + "ch.qos.logback.core.AsyncAppenderBase$Worker.run",
                "jdk.internal.misc.Unsafe.park < org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run");
    }

    @ParameterizedTest
    @MethodSource("idle")
    void aThreadThatWaitsForWorkIsIdle(String stack) {
        assertThat(classifier.classify(thread("WAITING", stack)).doing()).isEmpty();
    }

    /// The holders of a pool's members are in the borrowing method, not in the pool's own methods.
    @Test
    void borrowerIsApplicationMethod() {
        var seen =
                classifier.classify(
                        thread(
                                "WAITING",
                                "java.util.concurrent.SynchronousQueue.poll < com.zaxxer.hikari.util.ConcurrentBag.borrow < com.zaxxer.hikari.pool.HikariPool.getConnection < com.zaxxer.hikari.HikariDataSource.getConnection < com.acme.Dao.find < com.acme.Page.get"));

        assertThat(seen.appFrame()).contains("com.acme.Dao.find");
        assertThat(seen.doing().orElseThrow().place().text())
                .isEqualTo("HikariCP in com.acme.Dao.find");
    }

    @Test
    void anEventLoopThatBlocksInAHandlerIsBusy() {
        var seen =
                classifier.classify(
                        thread(
                                "RUNNABLE",
                                "sun.nio.ch.NioSocketImpl.implRead < com.acme.Handler.channelRead < io.netty.channel.AbstractChannelHandlerContext.invokeChannelRead < io.netty.channel.nio.NioEventLoop.run"));

        assertThat(seen.doing().orElseThrow().cause()).isEqualTo(Cause.DOWNSTREAM);
    }

    private static ThreadDump.JavaThread thread(String state, String stack) {
        return new ThreadDump.JavaThread(
                "http-1",
                1,
                ThreadDump.State.valueOf(state),
                Optional.empty(),
                List.of(stack.split(" < ")),
                Optional.empty(),
                List.of());
    }
}
