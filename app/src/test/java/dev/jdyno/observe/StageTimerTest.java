package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.StageTimes;
import dev.jdyno.measure.StageTimes.Stage;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StageTimerTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// Four threads call a method of 5 ms one time after another.
    @ParameterizedTest
    @MethodSource("jdks")
    void everyCallOfAMethodIsTimedAndNothingStays(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "steps")) {
            StageTimes times =
                    StageTimer.time(
                            target,
                            NanoClock.SYSTEM,
                            () -> false,
                            List.of("Victim.step", "Victim.never"),
                            Duration.ofSeconds(1));

            Stage step = times.stages().getFirst();
            assertThat(step.count()).isBetween(10L, 1000L);
            assertThat(step.minMs().orElseThrow()).isGreaterThanOrEqualTo(5);
            assertThat(step.meanMs().orElseThrow())
                    .isBetween(step.minMs().orElseThrow(), step.maxMs().orElseThrow());
            assertThat(step.stdDevMs().isPresent())
                    .isEqualTo(times.source().equals("async-profiler"));
            assertThat(times.note().isEmpty()).isEqualTo(step.stdDevMs().isPresent());
            assertThat(times.stages().getLast().count()).isZero();
            assertThat(times.stages().getLast().meanMs()).isEmpty();
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whoWantsToStopHasTheCallsSoFarAndNothingStays(Path jdk) throws Exception {
        var asked = new AtomicInteger();
        try (Target target = Victims.launch(jdk, dir, "steps")) {
            StageTimes times =
                    StageTimer.time(
                            target,
                            NanoClock.SYSTEM,
                            () -> asked.incrementAndGet() > 3,
                            List.of("Victim.step"),
                            Duration.ofHours(1));

            assertThat(times.seconds()).isLessThan(60);
            assertThat(times.stages().getFirst().count()).isPositive();
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @Test
    void theSettingsNameTheMethodsAsTheJvmWantsThem() {
        assertThat(StageTimer.settings(List.of("com.acme.Foo.bar", "com.acme.Foo$In.<init>")))
                .contains("com.acme.Foo::bar;com.acme.Foo$In::&lt;init&gt;");
    }
}
