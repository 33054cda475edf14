package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.LockRef;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StackClassifierTest {
    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    private Classified runnable(String... frames) {
        return classified(State.RUNNABLE, frames);
    }

    private Classified classified(State state, String... frames) {
        return classifier.classify(
                new JavaThread(
                        "exec-1",
                        7,
                        state,
                        Optional.empty(),
                        List.of(frames),
                        Optional.empty(),
                        List.of()));
    }

    private static Optional<Cause> cause(Classified thread) {
        return thread.doing().map(ThreadActivity::cause);
    }

    /// From a dump of Tomcat 10.1 on JDK 17.0: sockets are written through the dispatcher of files.
    @Test
    void socketWriteThroughFileCodeIsNoDiskWrite() {
        assertThat(
                        cause(
                                runnable(
                                        "sun.nio.ch.FileDispatcherImpl.write0",
                                        "sun.nio.ch.SocketDispatcher.write",
                                        "sun.nio.ch.IOUtil.writeFromNativeBuffer",
                                        "sun.nio.ch.SocketChannelImpl.write",
                                        "org.apache.catalina.connector.CoyoteOutputStream.write",
                                        "com.acme.Page.get",
                                        "jakarta.servlet.http.HttpServlet.service")))
                .contains(Cause.CPU);
    }

    @Test
    void fileWriteThroughTheSameCodeIsADiskWrite() {
        assertThat(
                        cause(
                                runnable(
                                        "sun.nio.ch.FileDispatcherImpl.write0",
                                        "sun.nio.ch.IOUtil.writeFromNativeBuffer",
                                        "sun.nio.ch.FileChannelImpl.write",
                                        "com.acme.Page.get",
                                        "jakarta.servlet.http.HttpServlet.service")))
                .contains(Cause.DISK);
    }

    @Test
    void eventLoopIsIdleOnlyInItsSelector() {
        Classified idle =
                runnable(
                        "sun.nio.ch.EPoll.wait",
                        "sun.nio.ch.SelectorImpl.select",
                        "io.netty.channel.SingleThreadIoEventLoop.run");
        Classified blocked =
                runnable(
                        "java.net.Socket$SocketInputStream.read",
                        "com.acme.Handler.call",
                        "io.netty.channel.AbstractChannelHandlerContext.fireChannelRead",
                        "io.netty.channel.SingleThreadIoEventLoop.run");

        assertThat(idle.loop()).isTrue();
        assertThat(idle.doing()).isEmpty();
        assertThat(blocked.loop()).isTrue();
        assertThat(cause(blocked)).contains(Cause.DOWNSTREAM);
    }

    @Test
    void classifiesHelidonReaderAsIdleAndItsWaiterAsCall() {
        Classified reader =
                runnable(
                        "sun.nio.ch.NioSocketImpl.implRead",
                        "java.net.Socket$SocketInputStream.read",
                        "io.helidon.common.socket.IdleInputStream.handle",
                        "java.lang.VirtualThread.run");
        Classified caller =
                classified(
                        State.WAITING,
                        "jdk.internal.misc.Unsafe.park",
                        "java.util.concurrent.locks.LockSupport.park",
                        "java.util.concurrent.FutureTask.awaitDone",
                        "java.util.concurrent.FutureTask.get",
                        "io.helidon.common.socket.IdleInputStream.endIdle",
                        "com.acme.Handler.call",
                        "io.helidon.webserver.http1.Http1Connection.route");

        assertThat(reader.doing()).isEmpty();
        assertThat(cause(caller)).contains(Cause.DOWNSTREAM);
    }

    private Classified parks(String how, String... below) {
        return classifier.classify(
                new JavaThread(
                        "exec-1",
                        7,
                        State.WAITING,
                        Optional.empty(),
                        Stream.concat(
                                        Stream.of(
                                                "jdk.internal.misc.Unsafe.park",
                                                "java.util.concurrent.locks.LockSupport." + how),
                                        Stream.of(below))
                                .toList(),
                        Optional.of(new LockRef("0xf08a1750", "com.acme.Courtesy")),
                        List.of()));
    }

    /// `LockSupport.parkNanos(this, gap)`: the object is only information for a dump.
    @Test
    void timedParkIsPacingDespiteItsObject() {
        Classified paced =
                parks(
                        "parkNanos",
                        "com.acme.Courtesy.turn",
                        "org.eclipse.jetty.server.Server.handle");
        Classified woken =
                parks("park", "com.acme.Courtesy.turn", "org.eclipse.jetty.server.Server.handle");
        Classified coroutine =
                parks(
                        "parkNanos",
                        "kotlinx.coroutines.BlockingCoroutine.joinBlocking",
                        "kotlinx.coroutines.BuildersKt.runBlocking",
                        "com.acme.Page.get",
                        "org.eclipse.jetty.server.Server.handle");

        assertThat(paced.doing().map(d -> d.place().text()))
                .contains("park in com.acme.Courtesy.turn");
        assertThat(cause(paced)).contains(Cause.SLEEP);
        assertThat(cause(woken)).contains(Cause.POOL);
        assertThat(cause(coroutine)).contains(Cause.FUTURE);
    }

    @Test
    void placesPoolWaitInApplication() {
        Classified waits =
                classified(
                        State.WAITING,
                        "java.lang.Object.wait0",
                        "java.lang.Object.wait",
                        "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable",
                        "com.mchange.v2.resourcepool.BasicResourcePool.prelimCheckoutResource",
                        "com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource",
                        "com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource.getConnection",
                        "com.acme.Bookings.load",
                        "org.eclipse.jetty.server.Server.handle");

        assertThat(waits.doing())
                .hasValueSatisfying(d -> {
                    assertThat(d.cause()).isEqualTo(Cause.POOL);
                    assertThat(d.place().text()).isEqualTo("c3p0 in com.acme.Bookings.load");
                });
    }

    @Test
    void waitForMonitorOfFileChannelIsDiskWait() {
        Classified waits =
                classified(
                        State.BLOCKED,
                        "sun.nio.ch.FileChannelImpl.implWrite",
                        "sun.nio.ch.FileChannelImpl.write",
                        "com.acme.Journal.append",
                        "org.eclipse.jetty.server.Server.handle");
        Classified own =
                classified(
                        State.BLOCKED,
                        "com.acme.Journal.append",
                        "org.eclipse.jetty.server.Server.handle");

        assertThat(cause(waits)).contains(Cause.DISK);
        assertThat(cause(own)).contains(Cause.LOCK);
    }

    /// The application's own synchronized handler writes to a pipe that is read slowly.
    @Test
    void lockOfApplicationAppenderIsLogging() {
        Classified appends =
                classified(
                        State.BLOCKED,
                        "com.acme.Receipts$1.publish",
                        "java.util.logging.Logger.log",
                        "java.util.logging.Logger.fine",
                        "com.acme.Till.pay",
                        "io.undertow.server.handlers.BlockingHandler.handleRequest");

        assertThat(appends.doing())
                .hasValueSatisfying(d -> {
                    assertThat(d.cause()).isEqualTo(Cause.LOGGING);
                    assertThat(d.place().text())
                            .startsWith("java.util.logging waiting for ")
                            .endsWith(" in com.acme.Till.pay");
                });
    }

    /// Stack of a virtual thread in a dump of JDK 21, which does not show the lock object.
    @Test
    void lockWithoutObjectIsNamedByItsClass() {
        Classified waits =
                classified(
                        State.WAITING,
                        "java.lang.VirtualThread.park",
                        "java.lang.System$2.parkVirtualThread",
                        "jdk.internal.misc.VirtualThreads.park",
                        "java.util.concurrent.locks.LockSupport.park",
                        "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
                        "java.util.concurrent.locks.ReentrantLock$Sync.lock",
                        "java.util.concurrent.locks.ReentrantLock.lock",
                        "com.acme.Ledger.book",
                        "java.lang.VirtualThread.run");

        assertThat(waits.doing())
                .hasValueSatisfying(d -> {
                    assertThat(d.cause()).isEqualTo(Cause.LOCK);
                    assertThat(d.place().text())
                            .isEqualTo(
                                    "java.util.concurrent.locks.ReentrantLock in com.acme.Ledger.book");
                });
    }

    @Test
    void threadInSelectorIsAnEventLoopUnlessItRunsATask() {
        String[] select = {
            "sun.nio.ch.EPoll.wait",
            "sun.nio.ch.EPollSelectorImpl.doSelect",
            "sun.nio.ch.SelectorImpl.lockAndDoSelect",
            "sun.nio.ch.SelectorImpl.select",
            "com.acme.Reactor.run"
        };
        String[] inAnExecutor = Arrays.copyOf(select, select.length + 1);
        inAnExecutor[select.length] = "java.util.concurrent.ThreadPoolExecutor.runWorker";
        String[] jettys = select.clone();
        jettys[4] = "org.eclipse.jetty.io.ManagedSelector.nioSelect";

        assertThat(runnable(select).loop()).isTrue();
        assertThat(runnable(inAnExecutor).loop()).isFalse();
        assertThat(runnable(jettys).loop()).isFalse();
    }

    /// From a dump of Javalin with JDK 25's JNDI provider for DNS, which uses a selector for its
    /// own socket.
    @Test
    void aSelectorInsideOfARequestWaitsForAnAnswer() {
        String[] lookUp = {
            "sun.nio.ch.EPoll.wait",
            "sun.nio.ch.EPollSelectorImpl.doSelect",
            "sun.nio.ch.SelectorImpl.lockAndDoSelect",
            "sun.nio.ch.SelectorImpl.select",
            "com.sun.jndi.dns.DnsClient.blockingReceive",
            "com.sun.jndi.dns.DnsClient.doUdpQuery",
            "com.sun.jndi.toolkit.ctx.PartialCompositeDirContext.getAttributes",
            "com.acme.Routing.depot",
            "jakarta.servlet.http.HttpServlet.service"
        };
        String[] inAnExecutor = lookUp.clone();
        inAnExecutor[8] = "java.util.concurrent.ThreadPoolExecutor.runWorker";
        String[] own = lookUp.clone();
        own[4] = "com.acme.Client.ask";
        own[5] = "com.acme.Client.call";
        own[6] = "com.acme.Page.get";

        assertThat(runnable(lookUp).doing().orElseThrow().cause()).isEqualTo(Cause.DNS);
        assertThat(runnable(inAnExecutor).doing().orElseThrow().cause()).isEqualTo(Cause.DNS);
        assertThat(runnable(own).doing().orElseThrow().cause()).isEqualTo(Cause.DOWNSTREAM);
        assertThat(runnable(own).loop()).isFalse();
    }

    /// From a dump of OkHttp 4.12 in an executor of Micronaut 4. Every read passes through a class
    /// whose other instance is a watchdog that waits for work.
    @Test
    void okioReadIsACallAndItsWatchdogIsIdle() {
        Classified caller =
                runnable(
                        "sun.nio.ch.Net.poll",
                        "sun.nio.ch.NioSocketImpl.park",
                        "sun.nio.ch.NioSocketImpl.timedRead",
                        "java.net.Socket$SocketInputStream.read",
                        "okio.InputStreamSource.read",
                        "okio.AsyncTimeout$source$1.read",
                        "okio.RealBufferedSource.indexOf",
                        "okhttp3.internal.connection.RealCall.execute",
                        "com.acme.Shipping.get",
                        "java.util.concurrent.ThreadPoolExecutor.runWorker");
        Classified watchdog =
                classified(
                        State.WAITING,
                        "java.lang.Object.wait",
                        "okio.AsyncTimeout$Companion.awaitTimeout$okio",
                        "okio.AsyncTimeout$Watchdog.run");

        assertThat(cause(caller)).contains(Cause.DOWNSTREAM);
        assertThat(watchdog.doing()).isEmpty();
    }

    /// From eight dumps of Undertow on JDK 17 with all cores in use, which found 21 threads here.
    @Test
    void waitToWakeSelectorIsRunQueueWait() {
        var blocked =
                classified(
                        State.BLOCKED,
                        "sun.nio.ch.EPollSelectorImpl.wakeup",
                        "org.xnio.nio.WorkerThread.setOps",
                        "org.xnio.nio.NioHandle.resume",
                        "org.xnio.nio.NioSocketConduit.resumeReads",
                        "io.undertow.server.HttpServerExchange.terminateResponse",
                        "org.xnio.channels.Channels.flushBlocking",
                        "io.undertow.io.UndertowOutputStream.close",
                        "scrub.ScrubServer.lambda$main$0",
                        "io.undertow.server.Connectors.executeRootHandler");
        var elsewhere =
                classified(
                        State.BLOCKED,
                        "org.xnio.channels.Channels.flushBlocking",
                        "io.undertow.io.UndertowOutputStream.close",
                        "scrub.ScrubServer.lambda$main$0",
                        "io.undertow.server.Connectors.executeRootHandler");

        assertThat(cause(blocked)).contains(Cause.RUN_QUEUE);
        assertThat(cause(elsewhere)).contains(Cause.NETWORK);
    }
}
