package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.Validity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The command that measures a gain. It repeats the options of the run and starts in the folder of
/// the run.
class CommandsTest {
    private static final Recommendation CODE = ResultFixture.e1().recommendations().getFirst();

    private static String verify(RunResult result) {
        return Commands.of(CODE, result).verify().orElseThrow();
    }

    /// Other loads would change the figures, too.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"20 | 20,24,32,40", "24 | 24,32,40"})
    void repeatsOnlyLoadsOfRun(int lowest, String loads) {
        assertThat(verify(from(lowest, ResultVariants.withoutKnee(List.of()))))
                .contains("--concurrency " + loads + " ");
    }

    /// One command measures the loads for the recommendation and for the knee.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "20 | 1 10 | --concurrency 1,10,20,24,32,40",
                "24 | 1 | --concurrency 1,24,32,40",
                "1 | 1 | --concurrency 1,2,4,8,12,16,20,24,32,40"
            })
    void theLoadsThatWouldShowTheKneeAreMeasuredToo(int lowest, String lower, String loads) {
        RunResult noKnee =
                Results.withKneeUnclear(
                        from(lowest, ResultVariants.withoutKnee(List.of())),
                        "flat",
                        numbers(lower));

        assertThat(verify(noKnee)).contains(loads + " ");
    }

    /// An already measured load is not added. If the run measured no load, the command adds none.
    @ParameterizedTest
    @CsvSource({"20, 1 10, 1 10", "20, 1 24, 1", "20, 24,", "1, 1,"})
    void addsOnlyUnmeasuredLoads(int lowest, String lower, String added) {
        RunResult noKnee =
                Results.withKneeUnclear(
                        from(lowest, ResultVariants.withoutKnee(List.of())),
                        "flat",
                        numbers(lower));

        assertThat(Commands.of(CODE, noKnee).addedLoads())
                .isEqualTo(added == null ? List.of() : numbers(added));
        assertThat(Commands.of(CODE, ResultVariants.withRounds(noKnee, List.of())).addedLoads())
                .isEmpty();
        assertThat(KneeLines.why(noKnee).contains(";")).isEqualTo(added != null);
    }

    /// If no command measures loads, the report lists all loads to measure.
    @Test
    void loadsToTryAreWholeListWithoutCheck() {
        RunResult noKnee =
                Results.withKneeUnclear(
                        ResultVariants.withRounds(
                                ResultFixture.empty(), from(24, ResultFixture.e1()).rounds()),
                        "flat",
                        List.of(1, 12));

        assertThat(noKnee.recommendations()).isEmpty();
        assertThat(KneeLines.why(noKnee)).endsWith(" 1,12,24,32,40");
    }

    private static List<Integer> numbers(String text) {
        return Stream.of(text.split(" ")).map(Integer::valueOf).toList();
    }

    private static RunResult from(int lowest, RunResult r) {
        return ResultVariants.withRounds(
                r, r.rounds().stream().filter(x -> x.concurrency() >= lowest).toList());
    }

    /// A longer warm-up would change the figures, too.
    @ParameterizedTest
    @ValueSource(strings = {"warmup", "not-warm", "steal"})
    void usesWarmUpOfRun(String id) {
        RunResult cold =
                ResultVariants.warmedFor(
                        3.05, new Validity.Warning(id, "give a longer --warmup than 3s", false));

        assertThat(verify(cold)).doesNotContain("--warmup");
    }

    /// Each file is that of the run, as a path from the folder in which the run was started.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mine | jdyno run mine/plan.yaml | jdyno compare mine/result.json mine/after/result.json",
                "jdyno-out/20261129-demo | D=jdyno-out/20261129-demo; jdyno run $D/plan.yaml | jdyno compare $D/result.json $D/after/result.json",
                "a folder of mine | D='a folder of mine'; jdyno run \"$D\"/plan.yaml | jdyno compare \"$D\"/result.json \"$D\"/after/result.json"
            })
    void usesFilesOfRun(String folder, String run, String compare) {
        String command =
                Commands.of(CODE, ResultFixture.e1(), Optional.of(Path.of(folder)))
                        .verify()
                        .orElseThrow();

        assertThat(command).startsWith(run + " ").endsWith(" && " + compare);
        assertThat(command).contains(" --out " + compare.split(" ")[3].replace("/result.json", ""));
    }

    /// If a flag occurs twice, the JVM uses the last one. It refuses two collectors.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "-Xss1m, -Xmx512m, export JDK_JAVA_OPTIONS='-Xmx512m'",
                "-Xmx160m, -Xmx512m, export _JAVA_OPTIONS='-Xmx512m'",
                "-XX:ConcGCThreads=1, -XX:ConcGCThreads=2, export _JAVA_OPTIONS='-XX:ConcGCThreads=2'",
                "-XX:-UseNUMA, -XX:+UseNUMA, export _JAVA_OPTIONS='-XX:+UseNUMA'",
                "-XX:+UseNUMAInterleaving, -XX:+UseNUMA, export JDK_JAVA_OPTIONS='-XX:+UseNUMA'",
                "-Xint, -XX:+UseParallelGC, export JDK_JAVA_OPTIONS='-XX:+UseParallelGC'",
                "-XX:+UseSerialGC, -XX:+UseParallelGC,",
                "-XX:+UseZGC, -Xmx512m, export JDK_JAVA_OPTIONS='-Xmx512m'",
                "-XX:MaxHeapSize=160m, -Xmx512m, export _JAVA_OPTIONS='-Xmx512m'",
                "-XX:InitialHeapSize=64m, -Xms128m, export _JAVA_OPTIONS='-Xms128m'",
                "-XX:ThreadStackSize=512, -Xss1m, export _JAVA_OPTIONS='-Xss1m'",
                "-XX:+UseConcMarkSweepGC, -XX:+UseG1GC,",
                "-XX:+UseMaximumCompactionOnSystemGC, -XX:+UseZGC, export JDK_JAVA_OPTIONS='-XX:+UseZGC'",
            })
    void anArgumentOfTheCommandLineIsOverridden(String now, String argument, String tryOut) {
        var recommendation =
                new Recommendation(
                        RecommendedChange.read(
                                "heap-double", "", List.of(Change.jvmArgument(argument)), true),
                        Sentence.of("says"),
                        "look",
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        "why",
                        Optional.empty(),
                        Optional.empty());
        var target =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(now),
                        2,
                        true,
                        List.of(),
                        List.of());

        assertThat(Commands.ofOwnLoad(recommendation, target).tryOut())
                .isEqualTo(Optional.ofNullable(tryOut));
    }
}
