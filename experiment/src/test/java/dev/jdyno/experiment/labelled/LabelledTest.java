package dev.jdyno.experiment.labelled;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.experiment.Predictions;
import dev.jdyno.experiment.form.ComparisonReport;
import dev.jdyno.experiment.labelled.Labelled.Row;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelledTest {
    @TempDir Path dir;

    private static PlantedCase planted(String name, String bottleneck, String... also) {
        return new PlantedCase(
                name, bottleneck, List.of(also), "", 20, List.of(), 17, 999, "", "note");
    }

    private static Row said(PlantedCase planted, String said, double confidence, String second) {
        return new Row(planted, said, "", confidence, second, Optional.empty());
    }

    private static final Labelled SOME =
            new Labelled(
                    List.of(
                            said(planted("a", "cpu"), "cpu", 0.95, "load"),
                            said(planted("b", "cpu"), "lock", 0.95, "cpu"),
                            said(planted("c", "disk", "load"), "load", 0.6, "disk"),
                            new Row(
                                    planted("d", "dns"),
                                    "",
                                    "",
                                    0,
                                    "",
                                    Optional.of("needs a mount namespace"))));

    @Test
    void ignoresCaseThatWasNotRun() {
        assertThat(SOME.run()).isEqualTo(3);
        assertThat(SOME.right()).isEqualTo(2);
        assertThat(SOME.amongTwo()).isEqualTo(3);
        assertThat(SOME.confusion()).doesNotContainKey("dns");
    }

    @Test
    void skipsCaseThatBusyMachinePrevented() {
        Row right = said(planted("a", "cpu"), "cpu", 0.95, "load");
        Row disturbedByOthers = notRun(Labelled.BUSY_MACHINE);

        assertThat(new Labelled(List.of(right, disturbedByOthers)).holds()).isTrue();
        assertThat(new Labelled(List.of(disturbedByOthers)).holds()).isFalse();
        assertThat(new Labelled(List.of(right, notRun("the service ended"))).holds()).isFalse();
        assertThat(SOME.holds()).isFalse();
    }

    private static Row notRun(String why) {
        return new Row(planted("d", "dns"), "", "", 0, "", Optional.of(why));
    }

    @Test
    void aWrongNameGivenWithConfidenceMisleads() {
        assertThat(SOME.misleading()).isEqualTo(1);
    }

    /// Wilson's interval of 1927, as `prop.test(2, 3, correct = FALSE)` of R gives it.
    @Test
    void intervalOfAShareIsWilsonsInterval() {
        assertThat(SOME.accuracyCi95().lo()).isCloseTo(0.2077, Offset.offset(1e-3));
        assertThat(SOME.accuracyCi95().hi()).isCloseTo(0.9385, Offset.offset(1e-3));
        assertThat(SOME.amongTwoCi95().hi()).isEqualTo(1);
    }

    @Test
    void matrixCountsEachVerdictForEachPlantedBottleneck() {
        assertThat(SOME.confusion().get("cpu"))
                .containsOnly(java.util.Map.entry("cpu", 1L), java.util.Map.entry("lock", 1L));
        assertThat(ComparisonReport.of(SOME, false))
                .contains("cpu 1, lock 1")
                .contains("right 2 of 3");
        assertThat(ComparisonReport.of(SOME, true)).contains("\"cpu\":{\"cpu\":1,\"lock\":1}");
    }

    @Test
    void shortSetHasFirstClearCaseOfEachBottleneck() {
        var newer =
                new PlantedCase(
                        "pinned", "pinning", List.of(), "", 20, List.of(), 21, 999, "", "note");
        var rooted =
                new PlantedCase(
                        "quota",
                        "cpu-quota",
                        List.of(),
                        "",
                        20,
                        List.of(),
                        17,
                        999,
                        "root",
                        "note");

        assertThat(
                        LabelledBench.clear(
                                List.of(
                                        planted("a", "cpu", "lock"),
                                        planted("b", "cpu"),
                                        planted("c", "cpu"),
                                        planted("d", "lock"),
                                        newer,
                                        rooted),
                                17))
                .extracting(PlantedCase::name)
                .containsExactly("b", "d");
    }

    @Test
    void refusesUnknownCase() {
        var all = List.of(planted("a", "cpu"), planted("b", "lock"));

        assertThat(LabelledBench.only(all, List.of())).isEqualTo(all);
        assertThat(LabelledBench.only(all, List.of("b")))
                .extracting(PlantedCase::name)
                .containsExactly("b");
        assertThatThrownBy(() -> LabelledBench.only(all, List.of("c", "b", "d")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no case c, d");
        assertThatThrownBy(() -> Predictions.all().only(List.of("E1", "E99")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no prediction is checked by E99");
    }

    @Test
    void judgesStoredCaseAsMeasured() throws IOException {
        var recording =
                new Recording(
                        new Machine(2, 8L << 30, "test", 0),
                        new TargetFacts(
                                Optional.of(1L),
                                Optional.empty(),
                                Optional.of("25"),
                                Optional.empty(),
                                Optional.empty(),
                                List.of("-Xmx1g"),
                                2,
                                true,
                                List.of("proc"),
                                List.of()),
                        Optional.of(8.0),
                        List.of(
                                dev.jdyno.measure.RoundFixture.round(4, 100)
                                        .errors("timeout", 2)
                                        .build()),
                        List.of(),
                        List.of(),
                        false);
        Files.writeString(dir.resolve("recording.jfr"), "flight");
        new KeptCase(planted("a", "cpu"), 25, 7, recording).keepIn(dir.resolve("kept"), dir);

        List<KeptCase> kept = KeptCase.allIn(dir.resolve("kept"));
        Labelled again =
                LabelledBench.again(
                        kept,
                        r ->
                                new Verdict(
                                        Bottleneck.CPU,
                                        "",
                                        0.9,
                                        Sentence.of("says"),
                                        List.of(),
                                        List.of()));

        assertThat(kept)
                .singleElement()
                .satisfies(k -> assertThat(k.recording()).isEqualTo(recording));
        assertThat(again.right()).isEqualTo(1);
        assertThat(dir.resolve("kept/a-25-7.jfr")).hasContent("flight");
    }

    @Test
    void listThatAnOlderVersionDidNotStoreIsEmpty() throws IOException {
        var target =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.of("25"),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        true,
                        List.of("proc"),
                        List.of());
        var recording =
                new Recording(
                        new Machine(2, 8L << 30, "test", 0),
                        target,
                        Optional.of(8.0),
                        List.of(),
                        List.of(),
                        List.of(),
                        false);
        new KeptCase(planted("a", "cpu"), 25, 7, recording).keepIn(dir, dir);
        Path file = dir.resolve("a-25-7.case.json.gz");
        String kept = unpacked(file);
        String older = kept.replace("\"warnings\":[],", "");
        assertThat(older).isNotEqualTo(kept);
        try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(older.getBytes(UTF_8));
        }

        assertThat(KeptCase.allIn(dir)).extracting(KeptCase::recording).containsExactly(recording);
    }

    private static String unpacked(Path file) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
