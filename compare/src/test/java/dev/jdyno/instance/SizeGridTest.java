package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeGridTest {
    @ParameterizedTest
    @CsvSource({
        "0.25..2, 250, 2000",
        "250m..2000m, 250, 2000",
        "0.5..1500m, 500, 1500",
        "2, 2000, 2000",
        "' 0.1..0.1 ', 100, 100"
    })
    void readsCpuRanges(String text, int least, int most) {
        assertThat(SizeGrid.cpus(text)).isEqualTo(new SizeGrid.Range(least, most));
    }

    @ParameterizedTest
    @CsvSource({
        "128m..2g, 128, 2048",
        "256Mi..1Gi, 256, 1024",
        "512m, 512, 512",
        "64MB..0.5gb, 64, 512"
    })
    void readsMemoryRanges(String text, int least, int most) {
        assertThat(SizeGrid.memory(text)).isEqualTo(new SizeGrid.Range(least, most));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                "1..",
                "..2",
                "2..1",
                "1..2..3",
                "-1",
                "0",
                "0.05",
                "1e3",
                "NaN",
                "x",
                "1001",
                "9999999",
                "0.1m..2",
                "99999999999999999999",
                "1,5",
                "1...2"
            })
    void refusesOtherCpuRanges(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SizeGrid.cpus(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                "1g..",
                "2g..1g",
                "1m",
                "31m",
                "0",
                "-1g",
                "4097g",
                "1t..9t",
                "x",
                "99999999999999999999g",
                "1g..2g..3g"
            })
    void refusesOtherMemoryRanges(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SizeGrid.memory(text));
    }

    @Test
    void stepsAreEvenAndHaveTheEndsOfTheRange() {
        SizeGrid grid = SizeGrid.of(new SizeGrid.Range(110, 3700), new SizeGrid.Range(65, 19_000));

        assertThat(grid.milliCpus()).startsWith(110, 120, 150, 200).endsWith(2500, 3000, 3700);
        assertThat(grid.mebibytes()).startsWith(65, 80, 96, 112, 128).endsWith(16_384, 19_000);
        assertThat(grid.full()).isEqualTo(new InstanceSize(3700, 19_000));
        steps(SizeFixture.GRID.milliCpus(), 1.2, 1.34);
        steps(SizeFixture.GRID.mebibytes(), 1.14, 1.25);
    }

    private static void steps(List<Integer> steps, double least, double most) {
        for (int i = 1; i < steps.size(); i++) {
            assertThat((double) steps.get(i) / steps.get(i - 1)).isBetween(least, most);
        }
    }

    @Test
    void aRangeOfOneValueHasOneStep() {
        SizeGrid grid = SizeGrid.of(new SizeGrid.Range(500, 500), new SizeGrid.Range(300, 300));

        assertThat(grid.milliCpus()).containsExactly(500);
        assertThat(grid.mebibytes()).containsExactly(300);
    }

    @Test
    void takesTheNextStepOrTheLargest() {
        assertThat(SizeFixture.GRID.atLeast(0.51, 257)).isEqualTo(new InstanceSize(600, 320));
        assertThat(SizeFixture.GRID.atLeast(0.5, 256)).isEqualTo(new InstanceSize(500, 256));
        assertThat(SizeFixture.GRID.atLeast(99, Double.POSITIVE_INFINITY))
                .isEqualTo(new InstanceSize(4000, 4096));
    }

    @Test
    void sizesAreWrittenAsKubernetesReadsThem() {
        assertThat(new InstanceSize(600, 384))
                .extracting(InstanceSize::cpuText, InstanceSize::memoryText)
                .containsExactly("600m", "384Mi");
        assertThat(new InstanceSize(2000, 384).cpuText()).isEqualTo("2");
    }

    @Test
    void aPriceIsOfCoresAndGibibytes() {
        assertThat(Price.parse("cpu=30,memory=4").of(new InstanceSize(500, 512)))
                .isCloseTo(17, within(1e-9));
        assertThat(Price.parse("memory=4.5, cpu=0")).isEqualTo(new Price(0, 4.5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cpu=30",
                "cpu=30,cpu=4",
                "cpu=-1,memory=4",
                "cpu=30,disk=4",
                "30,4",
                "cpu=30,memory=4,memory=5",
                "cpu=1e9,memory=1",
                "cpu=NaN,memory=1"
            })
    void refusesOtherPrices(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Price.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"20%, 0.2", "0.2, 0.2", "0, 0", "0%, 0", "90 %, 0.9", ".5, 0.5"})
    void readsReserves(String text, double share) {
        assertThat(SizeWish.reserve(text)).isCloseTo(share, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "-1%", "91%", "20", "1", "x", "NaN", "1e-1", "100%"})
    void refusesOtherReserves(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SizeWish.reserve(text));
    }

    @Test
    void theReserveIsAShareOfWhatIsTested() {
        assertThat(SizeFixture.wish(Optional.empty()).testedRatePerS())
                .isCloseTo(1000, within(1e-9));
    }
}
