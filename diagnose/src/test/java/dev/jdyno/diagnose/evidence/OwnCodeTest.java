package dev.jdyno.diagnose.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Profile.Node;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Finds the application's own code that blocks a pool, from the stacks of a profile.
class OwnCodeTest {
    private static final String HANDLER = "com.acme.Handler.read";
    private static final String CLIENT = "com.acme.Client.await";
    private static final String LIBRARY = "org.http.Socket.fill";

    private static Node stack(long samples, String... frames) {
        Node node = new Node(frames[frames.length - 1], samples, List.of());
        for (int i = frames.length - 2; i >= 0; i--) {
            node = new Node(frames[i], samples, List.of(node));
        }
        return node;
    }

    private static Insight seen(Node... pools) {
        long all = List.of(pools).stream().mapToLong(Node::samples).sum();
        var wall =
                new Profile(
                        Profile.Kind.WALL,
                        "x",
                        5,
                        100,
                        0.01,
                        0,
                        new Node("all", all, List.of(pools)));
        return InsightVariant.profile(
                wall, new Library("http", List.of(LIBRARY, "org.http.Loop.run")));
    }

    private static Node pool(String name, Node... stacks) {
        long all = List.of(stacks).stream().mapToLong(Node::samples).sum();
        return new Node(name, all, List.of(stacks));
    }

    /// Three kinds of threads: an event loop that calls, a pool that calls, and a thread that
    /// computes.
    @ParameterizedTest
    @ValueSource(strings = {"loop", "http-exec", "worker"})
    void innermostOwnMethodRepresentsLibraryCall(String name) {
        Insight insight =
                seen(
                        pool(
                                name,
                                stack(
                                        96,
                                        "java.lang.Thread.run",
                                        "org.http.Loop.run",
                                        HANDLER,
                                        "com.acme.Handler$$Lambda.run",
                                        CLIENT,
                                        LIBRARY,
                                        "sun.nio.ch.Net.poll"),
                                stack(4, "java.lang.Thread.run", "org.http.Loop.run")));

        OwnCode own = OwnCode.in(insight, name).orElseThrow();

        assertThat(own.method()).isEqualTo(CLIENT);
        assertThat(own.caller()).contains(HANDLER);
        assertThat(own.share()).isCloseTo(0.96, within(1e-9));
        assertThat(own.says().names()).hasSize(2);
    }

    @Test
    void codeWithLessThanHalfOfTheTimeIsNotNamed() {
        Insight insight =
                seen(
                        pool(
                                "exec",
                                stack(40, "com.acme.A.a"),
                                stack(35, "com.acme.B.b"),
                                stack(25, LIBRARY)));

        assertThat(OwnCode.in(insight, "exec")).isEmpty();
    }

    /// Two of three samples may be a coincidence.
    @Test
    void omitsPlaceOfTooFewSamples() {
        assertThat(OwnCode.in(seen(pool("exec", stack(3, CLIENT))), "exec")).isEmpty();
        assertThat(OwnCode.in(seen(pool("exec", stack(4, CLIENT))), "exec")).isPresent();
    }

    @Test
    void showsCallsOfPoolThatMostlyWaitsForCause() {
        Insight insight = seen(pool("exec", stack(90, CLIENT)));

        assertThat(OwnCode.waitingFor(Cause.DOWNSTREAM, window(Cause.DOWNSTREAM), insight))
                .isPresent();
        assertThat(OwnCode.waitingFor(Cause.DOWNSTREAM, window(Cause.LOCK), insight)).isEmpty();
    }

    private static ThreadSamples window(Cause doing) {
        var pool =
                new ThreadSamples.Pool(
                        "exec", 10, 8, 2, 1, true, false, 0, Map.of(doing, 7.0), false);
        return new ThreadSamples(
                8, 100, 10, 1, List.of(pool), List.of(), 0, 0, List.of(), Signals.NONE);
    }
}
