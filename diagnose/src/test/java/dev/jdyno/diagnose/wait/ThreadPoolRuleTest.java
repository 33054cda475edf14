package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Evidence about thread pools, with 20 requests in flight.
class ThreadPoolRuleTest {
    @Test
    void usesSingularForPoolOfOneThread() {
        assertThat(limits(new ThreadPoolRule().evaluate(busy(1).build())).says())
                .startsWith(
                        "The thread pool is the bottleneck: the one thread of http is in use in");
    }

    @Test
    void poolWithoutIdleThreadsOrWaitersIsNoLimit() {
        assertThat(new ThreadPoolRule().evaluate(busy(20).build()))
                .isInstanceOfSatisfying(
                        Finding.Cleared.class,
                        c -> assertThat(c.below().orElseThrow().value()).isZero());
    }

    /// If all five threads are busy in each dump, none is idle. Readers would have to read `0.0 of
    /// 5` twice.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0    | 0 | none of the 5 threads of http is idle",
                "0.04 | 0 | none of the 5 threads of http is idle",
                "0.2  | 0 | 0.2 of the 5 threads of http are idle"
            })
    void idleThreadsAreCountedOnce(double idle, int fewest, String says) {
        var pool = new ThreadSamples.Pool("http", 5, 5 - idle, idle, fewest, true);
        var evidence = plateau().pool(pool).busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 5 - idle);

        assertThat(limits(new ThreadPoolRule().evaluate(evidence.build())).evidence())
                .filteredOn(Figure.POOL_IDLE::isOf)
                .singleElement()
                .satisfies(line -> assertThat(line.says().text()).isEqualTo(says));
    }

    private static EvidenceFixture busy(int threads) {
        return plateau()
                .pool(new ThreadSamples.Pool("http", threads, threads, 0, 0, true))
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", threads);
    }

    /// Gremlin Server compiles each script to a class. It has two threads, one for each core, and
    /// compiler threads. More threads would share the same cores.
    @Test
    void fewThreadsOnAllTheCoresAreNotTooFew() {
        var scripts =
                plateau()
                        .rounds(r -> r.cores(1.85))
                        .pool(pool("gremlin-server-exec", 2, 1.5, 0.87))
                        .pool(pool("C2 CompilerThread", 1, 0, 0.65))
                        .busy(Cause.RUN_QUEUE, "run queue", 0.64)
                        .busy(Cause.CPU, "org.codehaus.groovy.ast.ClassNode.redirect", 0.6)
                        .busy(Cause.LOCK, "com.acme.Scripts@1", 0.34)
                        .sign(Sign.JIT_CORES, 0.65);

        assertThat(scripts.verdict().bottleneck()).isEqualTo(Bottleneck.JIT);

        var anew =
                scripts.gaveAfterwards(1322)
                        .sign(Sign.CLASSES_LOADED_PER_S, 314)
                        .relaxedSign(Sign.CLASSES_LOADED_PER_S, 252);

        assertThat(anew.verdict().bottleneck()).isEqualTo(Bottleneck.CLASS_LOADING);
        assertThat(anew.verdict().says()).contains("one request in 4.2 loads a class (314/s)");
    }

    private static ThreadSamples.Pool pool(String name, double size, double busy, double cores) {
        return new ThreadSamples.Pool(
                name, size, busy, size - busy, 0, busy > 0, false, cores, Map.of());
    }
}
