package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneSettingsTest {
    @TempDir private Path folder;

    @Test
    void resumedTuningKeepsSettings() throws IOException {
        var begun =
                new TuneSettings(
                        Metric.P50,
                        Optional.of(Goal.responseTime("p99", 0.99, 100)),
                        Duration.ofMinutes(10),
                        Duration.ofMillis(1500),
                        Duration.ofSeconds(20),
                        0.05,
                        true);

        begun.write(folder);

        assertThat(TuneSettings.read(folder)).isEqualTo(begun);
    }

    /// The smallest budget has time for one candidate. Each further candidate needs the time of a
    /// look and a comparison.
    @Test
    void theBudgetBuysCandidates() {
        var preset = TuneSettings.DEFAULT;
        double min = Tuning.minSeconds(preset);
        double each = preset.lookSeconds() + 3 * preset.startSeconds(1);

        assertThat(candidates(preset, min - 1)).isZero();
        assertThat(candidates(preset, min + 1)).isOne();
        assertThat(candidates(preset, min + each + 1)).isEqualTo(2);
        assertThat(candidates(preset, 1)).isZero();
    }

    private static int candidates(TuneSettings settings, double seconds) {
        return Costs.ofUnseen(settings.within(Durations.ofSeconds(seconds))).candidates();
    }

    @Test
    void aFolderOfNoTuningIsRefused() {
        assertThatThrownBy(() -> TuneSettings.read(folder)).isInstanceOf(UserError.class);
    }
}
