package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.threads.SampledThread;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Lines with calls, found in thread dumps.
class SiteCountsTest {
    private static final String READS =
            """
                at sun.nio.ch.Net.poll(java.base@25.0.3/Native Method)
                at sun.nio.ch.NioSocketImpl.implRead(java.base@25.0.3/NioSocketImpl.java:270)
                at java.net.Socket$SocketInputStream.read(java.base@25.0.3/Socket.java:976)
            """;

    private static final String JOINS =
            """
                at jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
                at java.util.concurrent.locks.LockSupport.park(java.base@25.0.3/LockSupport.java:223)
                at java.util.concurrent.CompletableFuture.join(java.base@25.0.3/CompletableFuture.java:2117)
            """;

    private static final String SERVES =
            "    at jakarta.servlet.http.HttpServlet.service(HttpServlet.java:590)\n";

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());
    private final ThreadSampleTally tally = new ThreadSampleTally();

    /// One dump with a thread for each stack.
    private void dump(String state, Stream<String> stacks) {
        var text = new StringBuilder();
        int[] i = {0};
        stacks.forEach(stack ->
                text.append(
                        """
                        "http-%d" #%d prio=5 os_prio=0 cpu=1.31ms elapsed=3.22s tid=0x00 nid=%d x  [0x00]
                           java.lang.Thread.State: %s
                        %s%s
                        """
                                .formatted(i[0], i[0], ++i[0], state, stack, SERVES)));
        tally.add(
                ThreadDump.parse(text.toString()).threads().stream()
                        .map(t ->
                                new SampledThread(
                                        classifier.classify(t), Optional.of("10.0.0.7:80"), false))
                        .toList());
    }

    private static String at(String method, int line) {
        String type = method.substring(0, method.indexOf('.'));
        return "    at com.acme.%s(%s.java:%d)\n".formatted(method, type, line);
    }

    private Optional<CallSites> sites() {
        ThreadPlaces threadSamples = tally.places(100, Map.of(), 0);
        return threadSamples.top(Cause.DOWNSTREAM).orElseThrow().sites();
    }

    private static Stream<String> lines(int... lines) {
        return Arrays.stream(lines)
                .mapToObj(
                        l -> READS + at("Client.fetch", 24) + at("Page.get", l) + at("Web.run", 7));
    }

    @Test
    void attributesCallsToNearestMethodWithSeveralLines() {
        dump("RUNNABLE", lines(12, 12, 12, 12, 13, 13, 13, 14, 14, 14));

        CallSites sites = sites().orElseThrow();

        assertThat(sites.method()).isEqualTo("com.acme.Page.get");
        assertThat(sites.file()).contains("Page.java");
        assertThat(sites.threads()).isCloseTo(10, within(1e-9));
        assertThat(sites.lines())
                .extracting(CallSites.Line::number, CallSites.Line::share)
                .containsExactly(tuple(12, 0.4), tuple(13, 0.3), tuple(14, 0.3));
        assertThat(sites.text()).isEqualTo("Page.get (Page.java:12, 13, 14)");
    }

    @Test
    void aLoopHasOneLine() {
        dump("RUNNABLE", lines(12, 12, 12, 12, 12, 12));

        assertThat(sites()).isEmpty();
    }

    /// Two stacks of thirty are less than a tenth, and two of ten may be a coincidence.
    @Test
    void aLineOfFewSamplesIsNoSite() {
        dump("RUNNABLE", lines(12, 12, 12, 12, 12, 12, 12, 12, 13, 13));
        assertThat(sites()).isEmpty();

        dump("RUNNABLE", lines(12, 12, 12, 12, 12, 12, 12, 12, 12, 12));
        dump("RUNNABLE", lines(12, 12, 12, 12, 12, 12, 12, 12, 12, 14));
        assertThat(sites()).isEmpty();
    }

    /// Half of the requests wait in other code, so a method on few stacks does not belong to each
    /// request.
    @Test
    void ignoresMethodOnFewStacks() {
        dump(
                "RUNNABLE",
                Stream.concat(
                        lines(12, 12, 12, 13, 13, 13),
                        Stream.generate(() -> READS + at("Other.get", 3)).limit(8)));

        assertThat(sites()).isEmpty();
    }

    /// Waiting for the status and for the body of a reply are two steps of one call.
    @Test
    void stepsOfTheJdkAreOneCall() {
        String status =
                "    at sun.net.www.protocol.http.HttpURLConnection.getResponseCode(X.java:3)\n";
        String body = "    at sun.net.www.http.KeepAliveStream.read(X.java:9)\n";
        dump(
                "RUNNABLE",
                Stream.concat(
                        Stream.generate(() -> READS + status + at("Page.get", 12)).limit(5),
                        Stream.generate(() -> READS + body + at("Page.get", 13)).limit(5)));

        assertThat(sites()).isEmpty();
    }

    @Test
    void resultsOfTasksAreAwaitedAtLinesToo() {
        dump(
                "WAITING (parking)",
                Stream.of(12, 12, 12, 13, 13, 13)
                        .map(l -> JOINS + at("Client.fetch", 24) + at("Page.get", l)));

        assertThat(tally.awaitingTasks().orElseThrow().lines())
                .extracting(CallSites.Line::number)
                .containsExactly(12, 13);
    }
}
