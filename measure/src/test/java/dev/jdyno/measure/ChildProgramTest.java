package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildProgramTest {
    /// @param unnamedCores 0 if there were no short-lived processes
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 5.5, 20})
    void mergesShortLivedProcessesWithOmittedPrograms(double unnamedCores) {
        Map<String, Double> cores = new HashMap<>(Map.of(ChildProgram.UNNAMED, unnamedCores));
        for (int i = 1; i <= 12; i++) {
            cores.put("program-" + i, (double) i);
        }

        List<ChildProgram> largest = ChildProgram.largest(cores);

        assertThat(largest).hasSize(ChildProgram.KEPT + 1);
        assertThat(largest)
                .filteredOn(p -> p.name().equals(ChildProgram.UNNAMED))
                .containsExactly(new ChildProgram(ChildProgram.UNNAMED, 1 + 2 + unnamedCores));
        assertThat(largest.stream().map(ChildProgram::cores))
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(largest.stream().mapToDouble(ChildProgram::cores).sum())
                .isCloseTo(78 + unnamedCores, within(1e-9));
    }
}
