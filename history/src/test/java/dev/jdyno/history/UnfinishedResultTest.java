package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.compare.Arm;
import dev.jdyno.compare.Metric;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Silent;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnfinishedResultTest {
    @TempDir private Path folder;

    private RoundLines begun(Kind kind) {
        var origin =
                new Entries.Origin(
                        Instant.parse("2026-11-01T08:00:00Z"),
                        "jdyno compare a.yaml b.yaml",
                        Optional.empty(),
                        Optional.of(folder),
                        Optional.empty());
        return RoundLines.begin(folder, kind, "shop", origin, new Silent());
    }

    private static void block(RoundLines lines, Arm arm, Metric.Load load, int pair, double qps) {
        lines.block(
                new TrialListener.Block(arm.key(), load.name(), pair),
                RoundFixture.round(1, qps).build());
    }

    /// One block of A was left out. From there on, each B would be compared with an A of another
    /// pair.
    @Test
    void comparesOnlyBlocksOfOnePair() throws IOException {
        try (RoundLines lines = begun(Kind.COMPARE)) {
            for (Metric.Load load : Metric.Load.USUAL) {
                block(lines, Arm.B, load, 1, 200);
                block(lines, Arm.A, load, 1, 100);
                block(lines, Arm.B, load, 2, 2000);
                block(lines, Arm.A, load, 3, 1000);
                block(lines, Arm.B, load, 3, 2000);
                block(lines, Arm.A, load, 4, 7);
            }
        }

        Entry entry = UnfinishedResult.read(folder).entry();

        assertThat(entry.figure(Metric.QPS.key()).orElseThrow().value()).isCloseTo(2, within(1e-9));
        assertThat(entry.figure(UnfinishedResult.ROUNDS).orElseThrow().value()).isEqualTo(12);
    }

    @Test
    void givesNoRatioWithoutCompletePair() throws IOException {
        try (RoundLines lines = begun(Kind.COMPARE)) {
            block(lines, Arm.A, Metric.Load.SATURATED, 1, 100);
            block(lines, Arm.B, Metric.Load.SATURATED, 2, 100);
        }

        assertThat(UnfinishedResult.read(folder).entry().figure(Metric.QPS.key())).isEmpty();
    }

    /// The invalid line is in the middle, because only the last line may be incomplete.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[]",
                "{\"block\":{}}",
                "{\"round\":{}}",
                "{\"round\":null}",
                "{\"block\":{\"of\":\"a\",\"load\":\"SATURATED\",\"pair\":1}}",
                "{\"block\":{},\"round\":ROUND}",
                "{\"block\":{\"of\":\"a\",\"load\":\"SATURATED\"},\"round\":ROUND}"
            })
    void aLineWithoutItsFieldsIsNamed(String damaged) throws IOException {
        try (RoundLines lines = begun(Kind.COMPARE)) {
            lines.round(RoundFixture.round(1, 100).build());
        }
        Path file = folder.resolve(RoundLines.NAME);
        String whole = Files.readAllLines(file).get(1);
        String round = whole.substring(whole.indexOf("\"round\":") + 8, whole.length() - 1);
        Files.writeString(
                file,
                damaged.replace("ROUND", round) + "\n" + whole + "\n",
                StandardOpenOption.APPEND);

        assertThatThrownBy(() -> UnfinishedResult.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]", "{\"schema\":\"jdyno/rounds/1\"}"})
    void refusesEmptyHeader(String header) throws IOException {
        Files.writeString(folder.resolve(RoundLines.NAME), header + "\n{}\n");

        assertThatThrownBy(() -> UnfinishedResult.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 1");
    }
}
