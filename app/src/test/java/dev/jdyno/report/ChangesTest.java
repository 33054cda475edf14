package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.judge.Judge;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.report.json.ResultJson;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The text of a recommended change agrees with its values.
class ChangesTest {
    private static final Pattern FLAGS =
            Pattern.compile("-(?:XX:[+-]?\\w+(?:=\\w+)?|Xm[nsx]\\d+m)");

    @TempDir Path folder;

    static Stream<RunResult> judged() {
        return KeptCase.allIn(Path.of("../corpus/planted")).stream()
                .map(kept ->
                        Judge.rankingBy(Recommendations.Aim.QPS)
                                .result(
                                        new RunResult.About(
                                                "0",
                                                "jdyno run",
                                                Instant.EPOCH,
                                                60,
                                                kept.planted().name()),
                                        kept.recording()));
    }

    @ParameterizedTest
    @MethodSource("judged")
    void theWordsNameTheSameFlagsAsTheValues(RunResult result) {
        for (Recommendation p : result.recommendations()) {
            assertThat(p.changes()).as(p.id()).isNotEmpty();
            Set<String> values =
                    p.changes().stream()
                            .flatMap(c ->
                                    c instanceof Change.JvmFlag flag
                                            ? Stream.of(flag.argument())
                                            : Stream.empty())
                            .collect(Collectors.toSet());
            Set<String> words =
                    FLAGS.matcher(p.change().text())
                            .results()
                            .map(m -> m.group())
                            .collect(Collectors.toSet());
            if (!(p.changes().getFirst() instanceof Change.WithoutJvmFlag)) {
                assertThat(values).as(p.id()).containsAll(words);
            }
            if (p.tryable()) {
                assertThat(p.changes()).as(p.id()).noneMatch(Change.Outside.class::isInstance);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("judged")
    void documentKeepsChanges(RunResult result) {
        Path file = folder.resolve("result.json");
        ResultJson.write(result, file);

        assertThat(ResultJson.read(file).recommendations()).isEqualTo(result.recommendations());
    }

    @Test
    void documentKeepsEveryKindOfChange() {
        RunResult r = ResultFixture.e1();
        List<Change> all =
                List.of(
                        new Change.JvmFlag("-Xmx", "512m"),
                        new Change.JvmFlag("-XX:+UseG1GC"),
                        new Change.WithoutJvmFlag("-Xint"),
                        new Change.SystemProperty("a.b", "1"),
                        new Change.SystemSetting("nofile", new Amount.Times(4)),
                        new Change.LoggingEdit(
                                Optional.of("logback.xml"), "flush", "immediateFlush = false"),
                        new Change.EnvironmentVariable("CACHE_TTL", "10s"),
                        new Change.ProgramArgument("--server={}", "undertow"),
                        new Change.FileValue("app.yaml.tmpl", "pool", "16"),
                        new Change.PoolSize("http", new Amount.Exactly("40")),
                        new Change.PoolSize("backlog", new Amount.Larger()),
                        new Change.Concurrency(40),
                        new Change.Cores(2, 4),
                        new Change.Code(),
                        new Change.CodeAt("com.acme.Page.get", Optional.of("Page.java:12"), 0.62),
                        new Change.Outside());
        Recommendation p = r.recommendations().getFirst();
        var with =
                new Recommendation(
                        RecommendedChange.read(p.id(), p.change().text(), all, p.tryable()),
                        p.says(),
                        p.how(),
                        p.predictedQpsRatio(),
                        p.predictedRtRatio(),
                        p.atMost(),
                        p.formula(),
                        p.measuredQpsRatio(),
                        p.expected());
        Path file = folder.resolve("result.json");
        ResultJson.write(
                Results.of(
                        r.jdyno(),
                        r.recording(),
                        r.goal(),
                        r.knee(),
                        r.demands(),
                        r.verdict(),
                        r.whatIf(),
                        List.of(with),
                        r.validity()),
                file);

        assertThat(ResultJson.read(file).recommendations().getFirst().changes()).isEqualTo(all);
    }

    @Test
    void printsFlagAsOnCommandLine() {
        assertThat(new Change.JvmFlag("-Xmx", "512m").argument()).isEqualTo("-Xmx512m");
        assertThat(new Change.JvmFlag("-XX:ConcGCThreads", "2").argument())
                .isEqualTo("-XX:ConcGCThreads=2");
        assertThat(new Change.JvmFlag("-XX:+UseZGC").argument()).isEqualTo("-XX:+UseZGC");
    }
}
