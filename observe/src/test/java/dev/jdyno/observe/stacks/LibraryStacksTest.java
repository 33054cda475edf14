package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Stacks of public servers without application code, and requests of the JDK to the JVM in them.
class LibraryStacksTest {
    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    /// Only the server's own code: Tomcat's relocated DBCP, and its access log with the lock of the
    /// log.
    @Test
    void recognisesBundledLibrariesByTheirFrames() {
        var borrowing =
                classifier.classify(
                        thread(
                                "WAITING",
                                "jdk.internal.misc.Unsafe.park < java.util.concurrent.locks.LockSupport.park < org.apache.tomcat.dbcp.pool2.impl.InterruptibleReentrantLock.await < org.apache.tomcat.dbcp.pool2.impl.GenericObjectPool.borrowObject < org.apache.catalina.realm.DataSourceRealm.open < org.apache.catalina.core.StandardWrapperValve.invoke"));
        var logging =
                classifier.classify(
                        thread(
                                "BLOCKED",
                                "org.apache.catalina.valves.AccessLogValve.log < org.apache.catalina.valves.AbstractAccessLogValve.log < org.apache.catalina.core.ContainerBase.logAccess < org.apache.catalina.connector.CoyoteAdapter.service < org.apache.coyote.AbstractProcessorLight.process"));

        assertThat(borrowing.doing().orElseThrow().cause()).isEqualTo(Cause.POOL);
        assertThat(borrowing.doing().orElseThrow().place().text()).startsWith("DBCP");
        assertThat(logging.doing().orElseThrow().cause()).isEqualTo(Cause.LOGGING);
    }

    /// Jena allows one writer at a time by a semaphore that any thread may release.
    @Test
    void semaphoreUsedByMethodNamedLockIsALock() {
        String park = "jdk.internal.misc.Unsafe.park < java.util.concurrent.Semaphore.acquire < ";
        var writers =
                classifier.classify(
                        thread(
                                "WAITING",
                                park
                                        + "org.apache.jena.dboe.transaction.txn.TransactionCoordinator.acquireWriterLock"));
        var permits = classifier.classify(thread("WAITING", park + "com.acme.Gate.blockUntilFree"));

        assertThat(writers.doing().orElseThrow().cause()).isEqualTo(Cause.LOCK);
        assertThat(permits.doing().orElseThrow().place().text())
                .isEqualTo("Semaphore in com.acme.Gate.blockUntilFree");
    }

    /// A wait on Apache's future is a pool wait inside of its connection managers, and a wait for
    /// an answer elsewhere.
    @Test
    void waitForAsynchronousClientIsDownstreamWait() {
        String wait =
                "java.lang.Object.wait0 < java.lang.Object.wait < org.apache.hc.core5.concurrent.BasicFuture.get < ";
        var answer = classifier.classify(thread("WAITING", wait + "com.acme.Page.get"));
        var connection =
                classifier.classify(
                        thread(
                                "WAITING",
                                wait
                                        + "org.apache.hc.core5.pool.StrictConnPool$1.get < org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$1.get < org.apache.hc.client5.http.impl.classic.InternalExecRuntime.acquireEndpoint < com.acme.Page.get"));
        var reply =
                classifier.classify(
                        thread(
                                "WAITING",
                                "jdk.internal.misc.Unsafe.park < java.util.concurrent.CountDownLatch.await < org.redisson.command.CommandAsyncService.get < org.redisson.RedissonBucket.get < com.acme.Page.get"));

        assertThat(answer.doing().orElseThrow().cause()).isEqualTo(Cause.DOWNSTREAM);
        assertThat(connection.doing().orElseThrow().cause()).isEqualTo(Cause.POOL);
        assertThat(reply.doing().orElseThrow().place().text()).startsWith("Redisson");
    }

    /// One thread at a time looks up a name. In JDK 17 the other threads wait for a monitor.
    @Test
    void waitForOtherThreadsNameLookupIsDnsWait() {
        var waits =
                classifier.classify(
                        thread(
                                "BLOCKED",
                                "java.net.InetAddress$NameServiceAddresses.get < java.net.InetAddress.getAllByName0 < java.net.InetAddress.getAllByName < org.apache.hc.client5.http.SystemDefaultDnsResolver.resolve < com.acme.Page.get"));

        assertThat(waits.doing().orElseThrow().cause()).isEqualTo(Cause.DNS);
        assertThat(waits.doing().orElseThrow().place().text())
                .isEqualTo("DNS lookup in com.acme.Page.get");
    }

    @Test
    void threadThatRequestsCollectionWaitsForIt() {
        String gc = "java.lang.Runtime.gc < java.lang.System.gc < ";
        var direct =
                classifier.classify(
                        thread(
                                "RUNNABLE",
                                gc
                                        + "java.nio.Bits.reserveMemory < java.nio.DirectByteBuffer.<init> < com.acme.Page.get"));
        var asked = classifier.classify(thread("RUNNABLE", gc + "com.acme.Page.get"));
        var pausing =
                classifier.classify(
                        thread(
                                "SLEEPING",
                                "java.lang.Thread.sleep0 < java.lang.Thread.sleep < java.nio.Bits.reserveMemory < java.nio.DirectByteBuffer.<init> < com.acme.Page.get"));

        assertThat(asked.doing().orElseThrow().place().text())
                .isEqualTo("System.gc() in com.acme.Page.get");
        assertThat(List.of(direct, pausing))
                .allSatisfy(c -> {
                    assertThat(c.doing().orElseThrow().cause()).isEqualTo(Cause.GC);
                    assertThat(c.doing().orElseThrow().place().text())
                            .isEqualTo("System.gc() for direct memory in com.acme.Page.get");
                });
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
