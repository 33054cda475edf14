package dev.jdyno.observe.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.StageTimes.Stage;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StageTimerTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// Four threads call a method of 5 ms again and again, together at most 800 times a second.
    @ParameterizedTest
    @MethodSource("jdks")
    void timesEveryCallByIntervalAndCleansUp(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "steps")) {
            StageTimes times =
                    StageTimer.time(
                            target,
                            NanoClock.SYSTEM,
                            () -> false,
                            methods("Victim.step", "Victim.never"),
                            Duration.ofSeconds(3));

            Stage step = times.stages().getFirst();
            assertThat(step.count()).isBetween(30L, 3000L);
            assertThat(step.minMs().orElseThrow()).isGreaterThanOrEqualTo(5);
            assertThat(step.meanMs().orElseThrow())
                    .isBetween(step.minMs().orElseThrow(), step.maxMs().orElseThrow());
            assertThat(step.stdDevMs().orElseThrow()).isPositive();
            assertThat(step.from()).isIn("jdk.MethodTrace", "async-profiler");
            assertThat(times.note()).isEmpty();
            assertThat(times.stages().getLast().count()).isZero();
            assertThat(times.stages().getLast().meanMs()).isEmpty();

            assertThat(times.parts()).hasSize(3);
            assertThat(times.parts().getLast().toS()).isGreaterThanOrEqualTo(2.9);
            assertThat(times.parts().stream().mapToLong(p -> of(p, "Victim.step").count()).sum())
                    .isEqualTo(step.count());
            assertThat(times.parts())
                    .allSatisfy(p -> {
                        assertThat(p.toS()).isGreaterThan(p.fromS());
                        Stage here = of(p, "Victim.step");
                        assertThat(here.count()).isPositive();
                        assertThat(here.stdDevMs()).isPresent();
                        assertThat(here.maxMs().orElseThrow())
                                .isLessThanOrEqualTo(step.maxMs().orElseThrow());
                    });
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    private static Stage of(StageTimes.Part part, String method) {
        return part.stage(method).orElseThrow();
    }

    /// Calls of a method that runs a hundred thousand times a second are counted, not recorded one
    /// by one.
    @Tag("full") // times for seconds what is called too often
    @ParameterizedTest
    @MethodSource("jdks")
    void countsFrequentMethodsAndReportsMissingTimes(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "often")) {
            StageTimes times =
                    StageTimer.time(
                            target,
                            NanoClock.SYSTEM,
                            () -> false,
                            methods("Victim.often", "Victim.seldom"),
                            Duration.ofSeconds(3));

            Stage often = times.stages().getFirst();
            Stage seldom = times.stages().getLast();
            assertThat(often.count()).isGreaterThan(5_000);
            assertThat(seldom.count()).isBetween(1L, 5_000L);
            assertThat(seldom.stdDevMs()).isPresent();
            assertThat(times.parts()).hasSize(3);
            assertThat(times.note())
                    .contains("Victim.often: ", "more than 5,000/s are not written down")
                    .doesNotContain("Victim.seldom");
            if (times.source().equals("jfr")) {
                assertThat(often.from()).isEqualTo("jdk.MethodTiming");
                assertThat(often.stdDevMs()).isEmpty();
                assertThat(times.parts())
                        .allSatisfy(p ->
                                assertThat(of(p, "Victim.often").meanMs().orElseThrow())
                                        .isPositive());
            } else {
                assertThat(times.note()).contains("of a look of");
                assertThat(times.parts())
                        .allSatisfy(p -> assertThat(p.stage("Victim.often")).isEmpty());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void stoppedTimerReturnsCallsSoFarAndCleansUp(Path jdk) throws Exception {
        var asked = new AtomicInteger();
        try (Target target = Victims.launch(jdk, dir, "steps")) {
            StageTimes times =
                    StageTimer.time(
                            target,
                            NanoClock.SYSTEM,
                            () -> asked.incrementAndGet() > 3,
                            methods("Victim.step"),
                            Duration.ofHours(1));

            assertThat(asked).as("looks until it stopped").hasValueLessThan(20);
            assertThat(times.stages().getFirst().count()).isPositive();
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @Test
    void theSettingsNameTheMethodsAsTheJvmWantsThem() {
        assertThat(
                        StageTimer.settings(
                                methods("com.acme.Foo.bar", "com.acme.Foo$In.<init>"),
                                List.of(),
                                Duration.ofMillis(125)))
                .contains("com.acme.Foo::bar;com.acme.Foo$In::&lt;init&gt;", "125 ms");
    }

    private static List<MethodName> methods(String... names) {
        return Arrays.stream(names).map(MethodName::parse).toList();
    }
}
