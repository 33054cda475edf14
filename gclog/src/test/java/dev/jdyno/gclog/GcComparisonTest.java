package dev.jdyno.gclog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcIllness;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcComparisonTest {
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

    private static final GcComparison COMPARED =
            GcComparison.of(
                    BEFORE,
                    List.of(
                            wrong(GcIllness.LIVE_SET),
                            wrong(GcIllness.FULL_GC),
                            wrong(GcIllness.FLAGS)),
                    AFTER,
                    List.of(wrong(GcIllness.LONG_PAUSE), wrong(GcIllness.FLAGS)));

    private static GcComparison.Row row(String key) {
        return COMPARED.rows().stream().filter(r -> r.key().equals(key)).findFirst().orElseThrow();
    }

    @Test
    void logsAreComparedByRatesInsteadOfCounts() {
        assertThat(row("pausesPerS").before()).contains(0.03);
        assertThat(row("pausesPerS").after()).contains(0.01);
        assertThat(row("pausesPerS").ratio().orElseThrow()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(row("fullPerS").ratio()).contains(0.0);
        assertThat(row("pauseMaxMs").ratio().orElseThrow()).isCloseTo(1 / 3.0, within(1e-9));
    }

    @Test
    void missingFigureHasNoRatio() {
        assertThat(row("otherSafepointsMs").before()).isEmpty();
        assertThat(row("otherSafepointsMs").ratio()).isEmpty();
        assertThat(row("stallsMs").before()).contains(0.0);
        assertThat(row("stallsMs").ratio()).isEmpty();
    }

    @Test
    void removedKeptAndNewDiagnosesAreListed() {
        assertThat(COMPARED.gone()).containsExactly("live-set", "full-gc");
        assertThat(COMPARED.stayed()).containsExactly("flags");
        assertThat(COMPARED.came()).containsExactly("long-pause");
    }

    @Test
    void sameLogHasNoDifference() {
        GcComparison healthy = GcComparison.of(AFTER, List.of(), AFTER, List.of());

        assertThat(healthy.rows())
                .allSatisfy(
                        r -> r.ratio().ifPresent(x -> assertThat(x).isCloseTo(1, within(1e-9))));
    }
}
