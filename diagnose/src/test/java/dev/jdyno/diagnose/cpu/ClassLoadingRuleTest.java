package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.QPS;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

/// Consequences of classes that requests create.
class ClassLoadingRuleTest {
    /// Each request compiles expressions to classes: 14 kB of class loaders a request stay in
    /// memory for a while.
    @Test
    void retainedLoadersFollowFromClassLoading() {
        var verdict =
                plateau()
                        .rounds(r -> r.cores(1.5))
                        .busy(Cause.CLASS_LOADING, "class loading in rules.Rules.judge", 10)
                        .busy(Cause.RUN_QUEUE, "run queue", 6)
                        .sign(Sign.CLASSES_LOADED_PER_S, 2 * QPS)
                        .sign(
                                Sign.LIVE_GROWTH_BYTES_PER_S,
                                2e6,
                                "java.util.concurrent.ConcurrentHashMap")
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CLASS_LOADING);
        assertThat(verdict.runnersUp())
                .filteredOn(r -> r.bottleneck() == Bottleneck.GC_LEAK)
                .singleElement()
                .satisfies(r -> assertThat(r.from()).contains(Bottleneck.CLASS_LOADING));
    }

    /// A leak that is itself a consequence is not listed as a cause next to its own cause.
    @Test
    void consequencesFollowFirstCause() {
        var verdict =
                plateau()
                        .rounds(r -> r.cores(1.95))
                        .busy(Cause.CPU, "org.codehaus.groovy.ast.ClassNode.redirect", 2)
                        .busy(Cause.RUN_QUEUE, "run queue", 6)
                        .sign(Sign.CLASSES_LOADED_PER_S, QPS)
                        .sign(Sign.MAKES_CLASSES_SHARE, 0.4, "Groovy in com.acme.Scripts.of")
                        .sign(Sign.LIVE_GROWTH_BYTES_PER_S, 2e6, "groovy.lang.MetaClassImpl")
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CLASS_LOADING);
        assertThat(verdict.runnersUp())
                .filteredOn(r -> r.bottleneck() == Bottleneck.CPU)
                .singleElement()
                .satisfies(r -> assertThat(r.from()).contains(Bottleneck.CLASS_LOADING));
    }
}
