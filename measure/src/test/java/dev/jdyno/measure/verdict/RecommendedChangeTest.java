package dev.jdyno.measure.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.RecommendedChange.ByHand;
import dev.jdyno.measure.verdict.RecommendedChange.Setting;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecommendedChangeTest {
    private static final List<Change> CODE = List.of(new Change.Code());

    private static Stream<ChangeName> names() {
        return Stream.of(
                        Stream.<ChangeName>of(KnownChange.values()),
                        Stream.of(Cause.values()).map(ChangeName.OfTime::new),
                        Stream.of(
                                new ChangeName.OfLogging("caller-data"),
                                new ChangeName.Other("pattern-keep")))
                .flatMap(n -> n);
    }

    @ParameterizedTest
    @MethodSource("names")
    void idsAreUnique(ChangeName name) {
        assertThat(ChangeName.of(name.id())).isEqualTo(name);
        assertThat(names().filter(n -> n.id().equals(name.id()))).hasSize(1);
    }

    /// Ids occur in documents that scripts read.
    @Test
    void idsHaveTheStatedForm() {
        assertThat(KnownChange.LOCK_CALL_LESS.id()).isEqualTo("lock-call-less");
        assertThat(new ChangeName.OfLogging("flush").id()).isEqualTo("logging-flush");
        assertThat(new ChangeName.OfTime(Cause.RUN_QUEUE).id()).isEqualTo("rt-runQueue");
        assertThat(ChangeName.of("logging-less")).isEqualTo(KnownChange.LOGGING_LESS);
        assertThat(ChangeName.of("rt-unheard")).isEqualTo(new ChangeName.Other("rt-unheard"));
    }

    private static Stream<RecommendedChange> changes() {
        var half = new WhatIfChange.Scale("lock", 0.5);
        return Stream.of(
                new ByHand(KnownChange.LOCK_SHORTER, CODE, half),
                new ByHand(KnownChange.LOCK_SPLIT, CODE, new WhatIfChange.Units("lock", 16)),
                new ByHand(
                        KnownChange.CALLS_PARALLEL,
                        CODE,
                        new WhatIfChange.Parallel(Set.of("a", "b"))),
                new ByHand(KnownChange.POOL_QUERY, CODE, WrittenChange.NOT),
                new Setting(KnownChange.NO_DELAY, CODE, new WrittenChange.Words("TCP_NODELAY")),
                // the number of digits that earlier documents had
                new Setting(
                        KnownChange.CORES_DOUBLE,
                        List.of(new Change.Cores(2, 4)),
                        new WrittenChange.Words("cores=4.00")),
                new Setting(
                        KnownChange.THREADS,
                        List.of(new Change.PoolSize("http", new Amount.Exactly("32"))),
                        new WhatIfChange.Threads(32)),
                // the same form as a change of `jdyno whatif`
                new Setting(
                        KnownChange.GC_THREADS,
                        List.of(new Change.JvmFlag("-XX:ConcGCThreads", "2")),
                        new WrittenChange.AsValues()),
                new Setting(
                        KnownChange.FDS_MORE,
                        List.of(new Change.SystemSetting("nofile", new Amount.Times(4))),
                        new WrittenChange.AsValues()));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void documentKeepsChange(RecommendedChange change) {
        assertThat(
                        RecommendedChange.read(
                                change.name().id(),
                                change.text(),
                                change.values(),
                                change.isSetting()))
                .isEqualTo(change);
    }

    @Test
    void valuesAreWrittenAsOnACommandLine() {
        var values = new WrittenChange.AsValues();

        assertThat(
                        values.text(
                                List.of(
                                        new Change.JvmFlag("-XX:SurvivorRatio", "2"),
                                        new Change.JvmFlag("-Xmn", "64m"))))
                .isEqualTo("-XX:SurvivorRatio=2 -Xmn64m");
        assertThat(values.text(List.of(new Change.WithoutJvmFlag("-Xint"))))
                .isEqualTo("without -Xint");
        assertThat(
                        values.text(
                                List.of(
                                        new Change.SystemSetting(
                                                "a.range", new Amount.Exactly("1 2")),
                                        new Change.SystemSetting("nofile", new Amount.Times(4)))))
                .isEqualTo("a.range=1 2, nofile*4");
        assertThat(
                        values.text(
                                List.of(
                                        new Change.LoggingEdit(
                                                Optional.of("logback.xml"), "caller", "drop %C"))))
                .isEqualTo("drop %C");
    }

    /// Numbers that a double cannot represent stay text.
    @Test
    void keepsAmbiguousChangeAsText() {
        String huge = "lock*" + "9".repeat(400);

        assertThat(WrittenChange.read(huge, CODE)).isEqualTo(new WrittenChange.Words(huge));
        assertThat(WrittenChange.read("lock*0.50", CODE))
                .isEqualTo(new WrittenChange.Words("lock*0.50"));
    }
}
