package dev.jdyno.report.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcIllness;
import dev.jdyno.report.json.GcJson;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GcTextTest {
    private static final Analysis BEFORE =
            read(
                    """
                    [0.000s][info][gc] Using Serial
                    [10.000s][info][gc] GC(0) Pause Young (Allocation Failure) 100M->20M(256M) 10.000ms
                    [20.000s][info][gc] GC(1) Pause Full (Allocation Failure) 200M->40M(256M) 90.000ms
                    [100.000s][info][gc] GC(2) Pause Young (Allocation Failure) 120M->40M(256M) 20.000ms
                    """);
    private static final Analysis AFTER =
            read(
                    """
                    [0.000s][info][gc] Using Serial
                    [50.000s][info][gc] GC(0) Pause Young (Allocation Failure) 200M->20M(512M) 30.000ms
                    [200.000s][info][gc] GC(1) Pause Young (Allocation Failure) 220M->20M(512M) 30.000ms
                    """);

    private static final GcComparison COMPARED =
            GcComparison.of(
                    BEFORE,
                    List.of(
                            wrong(GcIllness.LIVE_SET),
                            wrong(GcIllness.FULL_GC),
                            wrong(GcIllness.FLAGS)),
                    AFTER,
                    List.of(wrong(GcIllness.LONG_PAUSE), wrong(GcIllness.FLAGS)));

    private static Analysis read(String log) {
        return GcLog.read(
                "log", new ByteArrayInputStream(log.getBytes(UTF_8)), GcLog.Options.DEFAULT);
    }

    private static GcDiagnosis wrong(GcIllness illness) {
        return new GcDiagnosis(
                illness,
                GcDiagnosis.Severity.WARNING,
                "",
                "",
                List.of(),
                List.of(),
                "",
                Optional.empty());
    }

    @Test
    void logWithoutCollectionsIsNotCalledHealthy() {
        Analysis a =
                read(
                        """
                        1.028: Application time: 0.9606750 seconds
                        1.028: Total time for which application threads were stopped: 0.0000590 seconds
                        4.099: Application time: 3.0710520 seconds
                        """);

        assertThat(String.join("\n", GcText.lines(a, OptionalDouble.empty(), List.of(), false)))
                .contains("no collection in this log")
                .doesNotContain("nothing wrong found");
    }

    @Test
    void aComparisonShowsWordsUnitsAndDiagnoses() {
        assertThat(GcComparisonLines.of(COMPARED))
                .contains("gone: live-set, full-gc", "still there: flags", "new: long-pause")
                .anyMatch(l -> l.matches(" +pauses an hour +108 +36.0 +× 0\\.333"))
                .anyMatch(l -> l.matches(" +pause max +90ms +30ms +× 0\\.333"))
                .anyMatch(l -> l.matches(" +full GCs an hour +36.0 +0.00 +× 0.00"))
                .anyMatch(l -> l.matches(" +other safepoints +- +- +-"))
                .noneMatch(l -> l.contains("pauseP99Ms"));
    }

    @Test
    void jsonKeepsKeysUnitsAndDiagnoses() {
        JsonNode json = JsonMapper.shared().readTree(GcJson.comparison(COMPARED));

        assertThat(json.get("schema").asString()).isEqualTo("jdyno/gc-compare/1");
        assertThat(json.get("rows").get(2).get("name").asString()).isEqualTo("pausesPerS");
        assertThat(json.get("rows").get(2).get("unit").asString()).isEqualTo("1/s");
        assertThat(json.get("diagnoses").get("new").get(0).asString()).isEqualTo("long-pause");
    }

    @Test
    void comparisonOfHealthyLogsReportsNoProblem() {
        assertThat(GcComparisonLines.of(GcComparison.of(AFTER, List.of(), AFTER, List.of())))
                .last()
                .isEqualTo("nothing wrong found in either");
    }
}
