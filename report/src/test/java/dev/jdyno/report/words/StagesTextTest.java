package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.StagesFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagesTextTest {
    @Test
    void listsIntervalsBelowEachMethodWithDashForMissingTimes() {
        List<String> lines =
                StagesText.of(List.of(StagesFixture.counted()))
                        .lines()
                        .map(l -> l.strip().replaceAll(" +", " "))
                        .toList();

        assertThat(lines)
                .containsExactly(
                        "",
                        "Stages, 40 in flight, 4.0 s, every call, by jfr",
                        "method, and interval calls mean ms min ms max ms std dev from",
                        "com.acme.Foo.bar 700 9.8 9.5 31 - jdk.MethodTiming",
                        "0.0–2.0 s 300 9.8 9.5 31 - jdk.MethodTiming",
                        "2.0–4.0 s 400 9.8 - - - jdk.MethodTiming",
                        "no standard deviation");
    }
}
