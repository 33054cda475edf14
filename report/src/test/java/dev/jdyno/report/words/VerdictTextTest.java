package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTextTest {
    /// The sentence fits one line of a narrow terminal and differs from that of every other
    /// bottleneck.
    @ParameterizedTest
    @EnumSource(Bottleneck.class)
    void everyVerdictHasItsOwnShortSentence(Bottleneck name) {
        assertThat(VerdictText.headline(name)).hasSizeLessThanOrEqualTo(78).endsWith(".");
        assertThat(Stream.of(Bottleneck.values()).map(VerdictText::headline))
                .doesNotHaveDuplicates();
    }

    private static Verdict verdict(
            List<Verdict.EvidenceLine> evidence, Verdict.RunnerUp... others) {
        return new Verdict(Bottleneck.CPU, "", 0.9, Sentence.of(""), evidence, List.of(others));
    }

    private static List<String> notBecauseOf(RunResult run, Verdict.RunnerUp... others) {
        Verdict beside = verdict(List.of(), others);
        return VerdictText.notBecauseOf(
                new RunResult(
                        run.jdyno(),
                        run.recording(),
                        run.goal(),
                        ResultVariants.with(beside).judged(),
                        run.proof(),
                        run.gcLog()),
                Sentence::text);
    }

    private static Verdict.RunnerUp not(Bottleneck name, String why) {
        return Verdict.RunnerUp.ruledOut(name, 0.3, why);
    }

    private static Verdict.RunnerUp possible(double confidence, Bottleneck... cause) {
        return new Verdict.RunnerUp(
                Bottleneck.LOCK,
                confidence,
                true,
                Stream.of(cause).findFirst(),
                Sentence.of("waits"));
    }

    /// The most likely alternative comes first, and every one has its reason.
    @Test
    void firstScreenNamesExcludedBottlenecksWithReasons() {
        assertThat(
                        notBecauseOf(
                                ResultFixture.e1(),
                                Verdict.RunnerUp.ruledOut(Bottleneck.JIT, 0.1, "compilers rest"),
                                not(Bottleneck.DISK, "no reads, no writes")))
                .containsExactly("disk (no reads)", "jit (compilers rest)");
    }

    /// The lines below the first screen list this bottleneck as possible, so the first screen must
    /// not exclude it.
    @ParameterizedTest
    @ValueSource(doubles = {0.85, 0.6, 0.3})
    void possibleAlternativeIsNotExcluded(double confidence) {
        assertThat(notBecauseOf(ResultFixture.e1(), possible(confidence))).isEmpty();
        assertThat(notBecauseOf(ResultFixture.e1(), possible(confidence, Bottleneck.CPU)))
                .isEmpty();
    }

    private static RunResult holding(Cause waits, String where, String holder) {
        ThreadSamples window = ResultFixture.e1().census().getFirst();
        return ResultVariants.with(
                SamplesVariant.withBusy(
                        window,
                        List.of(
                                new ThreadSamples.Busy(
                                        waits,
                                        PlaceText.place(waits, where),
                                        15,
                                        PlaceText.holder(holder)))));
    }

    /// If the next sentence says that the holder waits for this cause, excluding it would look like
    /// a contradiction.
    @ParameterizedTest
    @CsvSource({
        "POOL, HikariCP in com.acme.Store.query, database: H2 10.0.0.8:9092, DATABASE",
        "LOCK, java.util.Hashtable in com.acme.Store.put, disk: forcing in com.acme.Log.flush, DISK",
        "POOL, HikariCP in com.acme.Store.query, probably logging: logback writing, LOGGING"
    })
    void doesNotRuleOutActivityOfHolders(
            Cause waits, String where, String holder, Bottleneck name) {
        RunResult run = holding(waits, where, holder);

        assertThat(notBecauseOf(run, not(name, "few"), not(Bottleneck.JIT, "compilers rest")))
                .containsExactly("jit (compilers rest)");
        assertThat(notBecauseOf(ResultFixture.e1(), not(name, "few"))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "all 8 threads are in use, but only 3 % of the requests wait | | only 3 % of the"
                        + " requests wait",
                "only 3 % of the threads in use are in disk (limit 50 %) | 0.5 | only 3 % of the"
                        + " threads in use are in disk, limit 50 %",
                "only 3 % are in calls, made one by one (limit 50 %): few | 0.5 | only 3 % are in"
                        + " calls, made one by one, limit 50 %",
                "only 0.33 threads for each core wait (limit 0.7) | 0.7 | only 0.33 threads for each"
                        + " core wait, limit 0.7",
                "the pool (limit 9), all of it, is in use | 0.5 | the pool (limit 9)",
                "more load does not help: twice the concurrency gave × 1.01 | | more load does not"
                        + " help"
            })
    void reasonIsDecidingClause(String reason, Double limit, String clause) {
        Optional<Verdict.RunnerUp.Decided> decided =
                Optional.ofNullable(limit).map(l -> new Verdict.RunnerUp.Decided(l / 2, l));

        assertThat(VerdictText.brief(reason, decided)).isEqualTo(clause);
    }

    private static Verdict.EvidenceLine line(String id, double value) {
        return new Verdict.EvidenceLine(id, Sentence.of(id), value, "", 0);
    }

    /// A collapse and a deadlock are worse than the first two figures show.
    @ParameterizedTest
    @ValueSource(strings = {"throughput-left", "waits-for-itself", "deadlocked-threads"})
    void firstScreenShowsFailuresWorseThanSlowness(String id) {
        Verdict late = verdict(List.of(line("a", 1), line("b", 1), line("c", 1), line(id, 0.1)));

        assertThat(VerdictText.proofs(late))
                .extracting(Verdict.EvidenceLine::id)
                .containsExactly("a", "b", id);
        assertThat(VerdictText.further(late))
                .extracting(Verdict.EvidenceLine::id)
                .containsExactly("c");
        Verdict none = verdict(List.of(line("a", 1), line("b", 1), line(id, 0)));
        assertThat(VerdictText.proofs(none)).hasSize(2);
    }
}
