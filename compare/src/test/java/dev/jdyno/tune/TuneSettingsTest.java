package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.load.Goal;
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

    @Test
    void aFolderOfNoTuningIsRefused() {
        assertThatThrownBy(() -> TuneSettings.read(folder)).isInstanceOf(UserError.class);
    }
}
