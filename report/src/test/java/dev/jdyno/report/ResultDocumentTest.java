package dev.jdyno.report;

import dev.jdyno.judge.GoalFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The complete `result.json` of each fixture. Users' scripts rely on its keys, their order, and
/// the form of numbers and absent figures.
class ResultDocumentTest {
    private static final Map<String, RunResult> RESULTS =
            new TreeMap<>(
                    Map.of(
                            "complete",
                            ResultFixture.e1(),
                            "empty",
                            ResultFixture.empty(),
                            "monstrous",
                            ResultFixture.monstrous(),
                            "goal",
                            GoalFixture.run(),
                            "goal-untested",
                            GoalFixture.untested()));

    static Stream<String> names() {
        return RESULTS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void documentMatchesGoldenFile(String name) throws IOException {
        Golden.assertMatches(
                "json/" + name + ".json",
                ResultJson.toString(Objects.requireNonNull(RESULTS.get(name))) + "\n");
    }
}
