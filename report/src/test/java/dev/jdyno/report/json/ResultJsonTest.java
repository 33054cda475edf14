package dev.jdyno.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.judge.GoalFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.Golden;
import dev.jdyno.report.LoadFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ResultJsonTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "en-US", "de-DE", "ar-EG"})
    void documentMatchesGoldenInEveryLocale(String tag) throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            Golden.assertMatches("result.json", ResultJson.toString(ResultFixture.small()));
        } finally {
            Locale.setDefault(before);
        }
    }

    static Stream<RunResult> results() {
        return Stream.of(
                ResultFixture.e1(),
                LoadFixture.withGcLog(),
                LoadFixture.alone(),
                ResultFixture.small(),
                ResultFixture.empty(),
                ResultFixture.monstrous(),
                ResultVariants.disturbed(),
                GoalFixture.run(),
                GoalFixture.untested(),
                GoalFixture.monstrous());
    }

    @ParameterizedTest
    @MethodSource("results")
    void readsWrittenResult(RunResult result) {
        Path file = folder.resolve("result.json");

        ResultJson.write(result, file);

        assertThat(ResultJson.read(file)).isEqualTo(result);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    /// Each key of the contract, with a place in the document where it must exist.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/schema",
                "/jdyno/version,commandLine,startedAt,durationS",
                "/machine/cores,memoryBytes,kernel,stealPct",
                "/target/pid,jvm,jdkVersion,collector,heapMaxBytes,flags,cores,attached,means",
                "/rounds/0/concurrency,ratePerS,seconds,qps,qpsCi95,errors,errorKinds,errorDetails,rtMs,client,cpu,threads,gc,anatomy,slices,disturbance",
                "/rounds/0/rtMs/mean,p50,p90,p99,p999,max",
                "/rounds/0/client/cpuPct,saturated",
                "/rounds/0/cpu/processCores,machinePct,stealPct,neighbours",
                "/rounds/0/gc/young,full,allocBytesPerS,promotedBytesPerS,requestBytes",
                "/rounds/0/gc/young/count,ms",
                "/rounds/0/anatomy/perRequestMs,topN",
                "/rounds/0/anatomy/perRequestMs/cpu,runQueue,lock,pool,downstream,disk,logging,gc,other",
                "/rounds/0/anatomy/topN/0/cause,where,ms",
                "/knee/concurrency,ci95,determinable,qps,rtMs,method,loadSeconds",
                "/demands/0/resource,ms,units,utilisationAtKnee",
                "/verdict/bottleneck,where,confidence,says,evidence,runnersUp",
                "/verdict/evidence/0/id,says,value,unit,limit",
                "/verdict/runnersUp/0/bottleneck,confidence,whyNot",
                "/whatIf/0/change,qps,rtMs,kneeConcurrency,formula",
                "/prescriptions/0/id,says,change,predictedQpsRatio,predictedRtRatio,tryable,measuredQpsRatio",
                "/validity/ok,warnings",
                "/validity/warnings/0/id,says",
            })
    void everyKeyOfTheContractIsThere(String place) {
        JsonNode root = JsonMapper.shared().readTree(ResultJson.toString(ResultFixture.e1()));
        int slash = place.lastIndexOf('/');

        JsonNode at = root.at(place.substring(0, slash));

        assertThat(at.propertyNames()).contains(place.substring(slash + 1).split(","));
    }

    @Test
    void errorHasCountAndExample() {
        JsonNode root = JsonMapper.shared().readTree(ResultJson.toString(ResultFixture.small()));

        JsonNode detail = root.at("/rounds/0/errorDetails/0");
        assertThat(detail.propertyNames()).contains("kind", "reason", "count", "example", "says");
        assertThat(detail.at("/reason").stringValue()).isEqualTo("connection-reset");
        assertThat(detail.at("/count").intValue()).isEqualTo(1);
    }

    @Test
    void theLoadOverTimeAndTheGcLogAreKept() {
        JsonNode root = JsonMapper.shared().readTree(ResultJson.toString(LoadFixture.withGcLog()));

        assertThat(root.at("/warmupS").asDouble()).isPositive();
        assertThat(root.get("load").propertyNames())
                .contains("addresses", "unanswered", "timeline");
        assertThat(root.at("/load/timeline/0").propertyNames())
                .contains(
                        "fromS",
                        "seconds",
                        "part",
                        "concurrency",
                        "ratePerS",
                        "requests",
                        "errors",
                        "rtMs");
        assertThat(root.at("/load/timeline/0/part").asString()).isEqualTo("warm-up");
        assertThat(root.at("/rounds/0/latencyCurve/quantiles/0").propertyNames())
                .contains("share", "ms");
        assertThat(root.at("/rounds/0/latencyCurve/bins/0").propertyNames())
                .contains("fromMs", "toMs", "count");
        assertThat(root.get("gcLog").propertyNames())
                .contains(
                        "spanS",
                        "liveBytes",
                        "liveIsUpperBound",
                        "pauses",
                        "collections",
                        "pauseBins");
    }

    /// Results of earlier versions have sentences without marked names.
    @Test
    void readsNamesOfSentences() throws IOException {
        Sentence says = Sentence.format("%.1f wait in %s", 3.0, Sentence.name("com.acme.Page.get"));
        Verdict v = ResultFixture.e1().verdict();
        RunResult result =
                ResultVariants.with(
                        new Verdict(
                                v.bottleneck(),
                                v.where(),
                                v.confidence(),
                                says,
                                List.of(
                                        new Verdict.EvidenceLine(
                                                "busy-lock", says, 3, "threads", 0)),
                                List.of(Verdict.RunnerUp.ruledOut(Bottleneck.LOCK, 0.1, says))));

        Path file = Files.writeString(folder.resolve("named.json"), ResultJson.toString(result));

        assertThat(ResultJson.read(file).verdict()).isEqualTo(result.verdict());
        JsonNode verdict = JsonMapper.shared().readTree(ResultJson.toString(result)).at("/verdict");
        assertThat(verdict.at("/says").stringValue()).isEqualTo("3.0 wait in com.acme.Page.get");
        assertThat(verdict.at("/evidence/0/names/0/name").stringValue())
                .isEqualTo("com.acme.Page.get");
        assertThat(verdict.at("/runnersUp/0/names/0/at").intValue()).isEqualTo(12);
    }

    @Test
    void aResultWithoutReasonsIsReadToo() throws IOException {
        String text =
                ResultJson.toString(ResultFixture.e1())
                        .replaceAll("\"errorDetails\" *: *\\[ *\\],?", "");

        assertThat(text).doesNotContain("errorDetails");
        Path file = Files.writeString(folder.resolve("result.json"), text);
        assertThat(ResultJson.read(file).rounds()).isEqualTo(ResultFixture.e1().rounds());
    }

    @Test
    void unmeasuredValueIsNullAndDelayHasInfiniteUnits() {
        JsonNode root = JsonMapper.shared().readTree(ResultJson.toString(ResultFixture.small()));

        assertThat(root.at("/rounds/0/cpu").isNull()).isTrue();
        assertThat(root.at("/rounds/0/anatomy").isNull()).isTrue();
        assertThat(root.at("/rounds/1/ratePerS").isNull()).isTrue();
        assertThat(root.at("/demands/1/units").stringValue()).isEqualTo("inf");
        assertThat(root.at("/rounds/1/qpsCi95").size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"qps\": 39.5           | \"qps\": \"fast\"      | rounds[0].qps is \"fast\", expected a number",
                "\"errors\": 1,          | \"errors\": 1.5,       | rounds[0].errors is 1.5, expected a whole number",
                "\"bottleneck\": \"cpu\" | \"bottleneck\": \"x\"  | verdict.bottleneck is \"x\"",
                "\"p999\": 98.0,         | ''                     | rounds[0].rtMs.p999 is missing",
                "\"qpsCi95\": [ 38.0, 41.0 ] | \"qpsCi95\": [ 9 ] | rounds[0].qpsCi95 is [9]",
                "\"startedAt\": \"2026-01-31T12:00:00Z\" | \"startedAt\": \"noon\" | jdyno.startedAt is \"noon\"",
                "\"partial\": false      | \"partial\": 0         | partial is 0, expected true or false",
                "\"flags\": [ \"-Xmx512m\" | \"flags\": [ 3       | target.flags[0] is 3, expected a text",
            })
    void aWrongValueIsNamedByItsKey(String from, String to, String says) throws IOException {
        String good = ResultJson.toString(ResultFixture.small());
        assertThat(good).contains(from);
        Path file = folder.resolve("bad.json");
        Files.writeString(file, good.replaceFirst(java.util.regex.Pattern.quote(from), to));

        assertThatThrownBy(() -> ResultJson.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bad.json is no result of jdyno")
                .hasMessageContaining(says);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"schema\": \"jdyno/gc/1\"} | its schema is jdyno/gc/1, this jdyno reads jdyno/result/1",
                "{\"a\": 1}                   | schema is missing",
                "[]                           | the document is [], expected an object",
                "hello                        | it is not JSON (line 1)",
                "''                           | it is empty",
            })
    void refusesFileThatIsNoResult(String text, String says) throws IOException {
        Path file = folder.resolve("other.json");
        Files.writeString(file, text);

        assertThatThrownBy(() -> ResultJson.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(says);
    }

    @Test
    void missingFileIsUserError() {
        assertThatThrownBy(() -> ResultJson.read(folder.resolve("none.json")))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining("cannot read");
    }

    @Test
    void missingFolderIsUserError() {
        assertThatThrownBy(() -> ResultJson.write(ResultFixture.e1(), folder.resolve("no/r.json")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot write");
    }

    /// The deepest stack that a profile keeps, plus the thread pool and the root.
    @Test
    void theDeepestProfileIsWrittenAndReadBack() {
        Path file = folder.resolve("deep.json");
        RunResult deep = ResultVariants.deep(222);

        ResultJson.write(deep, file);

        assertThat(ResultJson.read(file).insight()).isEqualTo(deep.insight());
    }

    @Test
    void keysOfALaterVersionAreSkipped() throws IOException {
        Path file = folder.resolve("later.json");
        String text = ResultJson.toString(ResultFixture.small());
        Files.writeString(file, text.replace("\"partial\"", "\"later\" : [1], \"partial\""));

        assertThat(ResultJson.read(file)).isEqualTo(ResultFixture.small());
    }

    /// Keys that were added after the first version. A file without one of them can still be read.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "allocations",
                "atMost",
                "calls",
                "capacityNotes",
                "changes",
                "coreWaitPct",
                "curve",
                "detail",
                "determinable",
                "disks",
                "disturbance",
                "doing",
                "errorDetails",
                "exceptions",
                "goal",
                "heldUp",
                "how",
                "insight",
                "intervals",
                "layers",
                "leftCores",
                "leftOut",
                "limits",
                "loop",
                "memoryLimitBytes",
                "model",
                "neighbours",
                "nextLimit",
                "ofTheLimit",
                "pinned",
                "proof",
                "qpsAtKnee",
                "queues",
                "rtMsAtMeasuredKnee",
                "signals",
                "stalledPct",
                "standstills",
                "stays",
                "stops",
                "takenCores",
                "throttledPeriodsPct",
                "virtual"
            })
    void aFileOfAnEarlierVersionOpens(String key) throws IOException {
        JsonNode root =
                JsonMapper.shared()
                        .readTree(Path.of("src/test/resources/report/json/complete.json").toFile());
        without(root, key);
        Path old = folder.resolve("old.json");
        Files.writeString(old, root.toString());

        assertThat(ResultJson.read(old).verdict()).isEqualTo(ResultFixture.e1().verdict());
    }

    private static void without(JsonNode node, String key) {
        if (node instanceof ObjectNode object) {
            object.remove(key);
        }
        node.forEach(child -> without(child, key));
    }

    /// A change of code belongs to the first method in its sentence that has a known line.
    @Test
    void changeOfCodeIsAtMethodOfSentence() {
        RunResult r = ResultFixture.e1();
        Recommendation change =
                new Recommendation(
                        RecommendedChange.read(
                                "pattern-keep", "", List.of(new Change.Code()), false),
                        Sentence.format(
                                "%s compiles %s",
                                Sentence.name("com.acme.Orders.read"),
                                Sentence.name("com.acme.Page.get")),
                        "how",
                        Optional.of(2.0),
                        Optional.of(0.5),
                        true,
                        "formula",
                        Optional.empty(),
                        Optional.empty());
        Judged j = r.judged();
        var recording =
                r.recording()
                        .withInsight(
                                InsightVariant.sources(
                                        new SourceLine(
                                                "com.acme.Page.get",
                                                Optional.of("Page.java"),
                                                12,
                                                9)));
        var changed =
                new RunResult(
                        r.jdyno(),
                        recording,
                        r.goal(),
                        new Judged(
                                j.knee(),
                                j.demands(),
                                j.whatIf(),
                                j.capacityNotes(),
                                j.layers(),
                                j.verdict(),
                                List.of(change),
                                j.validity()),
                        r.proof(),
                        r.gcLog());

        JsonNode place =
                JsonMapper.shared()
                        .readTree(ResultJson.toString(changed))
                        .at("/prescriptions/0/place");

        assertThat(place.at("/class").asString()).isEqualTo("com.acme.Page");
        assertThat(place.at("/line").asInt()).isEqualTo(12);
    }
}
