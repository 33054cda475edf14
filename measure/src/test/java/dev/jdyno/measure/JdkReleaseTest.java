package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdkReleaseTest {
    @ParameterizedTest
    @CsvSource({
        "1.8.0_402, 8",
        "11.0.13, 11",
        "17.0.15, 17",
        "21.0.8, 21",
        "25, 25",
        "25+36, 25",
        "26-ea, 26",
    })
    void theReleaseIsReadFromTheVersion(String version, int release) {
        assertThat(JdkRelease.of(version)).contains(release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ea", "-"})
    void unknownVersionHasNoRelease(String version) {
        assertThat(JdkRelease.of(version)).isEmpty();
    }
}
