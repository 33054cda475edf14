package dev.jdyno.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class RunAssertTest {
    private static final Path FOLDER = Path.of("/results/hello");

    private static RunResult result(String json) {
        return new RunResult(Json.parse(json), FOLDER);
    }

    private final RunResult result = result(FakeCommand.text("run.json"));

    @Test
    void assertsFiguresOfResult() {
        assertThat(result.rounds()).extracting(Round::concurrency).containsExactly(1, 8);
        Round max = result.mostThroughput();
        assertThat(max.concurrency()).isEqualTo(8);
        assertThat(max.cpuMsPerRequest().orElseThrow()).isBetween(2.2, 2.4);
        assertThat(max.allocatedBytesPerRequest().orElseThrow()).isBetween(3700.0, 3710.0);
        assertThat(result.bottleneck()).isEqualTo("cpu");
        assertThat(result.report()).isEqualTo(FOLDER.resolve("report.html"));
    }

    @Test
    void acceptsAssertionsThatHold() {
        result.assertThat()
                .rateUnder("p99<100ms,errors<0.1%")
                .isAtLeast(800)
                .throughput()
                .isAtMost(900)
                .cpuMsPerRequest()
                .isAtMost(3)
                .allocatedBytesPerRequest()
                .isAtMost(4000)
                .errorShare()
                .isAtMost(0)
                .bottleneck()
                .is("cpu")
                .bottleneck()
                .isOneOf("cpu", "lock")
                .bottleneck()
                .isNot("lock");
    }

    @Test
    void rateUnderGoalIsOfTheBestLoadThatMeetsTheGoal() {
        // 25 ms with 8 in flight, less with 1
        assertThatThrownBy(() -> result.assertThat().rateUnder("p99<20ms").isAtLeast(800))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("with 1 in flight");
        result.assertThat().rateUnder("p99<0.1ms").isAtMost(0);
    }

    @Test
    void prefersSearchForSameGoalToRounds() {
        String found =
                FakeCommand.text("run.json")
                        .replace(
                                "\"goal\": null",
                                "\"goal\": {\"goals\": [\"p99<30ms\"], \"goodPerS\": 700,"
                                        + " \"badPerS\": 750, \"says\": \"\"}");
        assertThatThrownBy(() -> result(found).assertThat().rateUnder("p99<30ms").isAtLeast(720))
                .hasMessageContaining("700 (95 %: 700 to 750)");
        result(found).assertThat().rateUnder("p99<40ms").isAtLeast(800);
    }

    @Test
    void aFailureHasValueIntervalAndReport() {
        assertThatThrownBy(() -> result.assertThat().rateUnder("p99<100ms").isAtLeast(2000))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll(
                        "2000", "842 (95 %: 834 to 850)", "/results/hello/report.html");
        assertThatThrownBy(() -> result.assertThat().bottleneck().is("lock"))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll("cpu", "lock", "report.html");
    }

    @Test
    void aFigureThatWasNotMeasuredFails() {
        String without = FakeCommand.text("run.json").replace("\"cpu\": {", "\"other\": {");
        assertThatThrownBy(() -> result(without).assertThat().cpuMsPerRequest().isAtMost(1e9))
                .isInstanceOf(AssertionFailedError.class);
    }

    @Test
    void refusesInvalidGoal() {
        for (String wrong : new String[] {"", "p99", "p99<100", "latency<1ms", "p99<100ms,,"}) {
            assertThatThrownBy(() -> Goals.of(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
