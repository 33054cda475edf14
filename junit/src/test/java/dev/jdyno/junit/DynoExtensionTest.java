package dev.jdyno.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class DynoExtensionTest {
    private static final String PID = Long.toString(ProcessHandle.current().pid());

    @TempDir private Path folder;

    private static Events tests(Class<?> of) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(of))
                .execute()
                .testEvents();
    }

    private static Throwable thrown(Events events) {
        List<Event> ended = events.finished().list();
        return ended.stream()
                .map(e -> e.getRequiredPayload(TestExecutionResult.class))
                .flatMap(r -> r.getThrowable().stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theMeasurementOfAClassIsSharedByItsTests() throws IOException {
        try (var command = new FakeCommand(folder, "run.json", 0)) {
            Events tests = tests(Samples.OfClass.class);
            tests.assertStatistics(s -> s.succeeded(2).failed(1));
            assertThat(thrown(tests)).isInstanceOf(AssertionFailedError.class);
            assertThat(command.calls())
                    .singleElement()
                    .asString()
                    .startsWith(PID + "  run shop.yaml --no-store --json --quiet --out ")
                    .endsWith(" --label sample");
        }
    }

    @Test
    void testCanAddSettingsAtRunTime() throws IOException {
        try (var command = new FakeCommand(folder, "run.json", 0)) {
            tests(Samples.OfMethods.class).assertStatistics(s -> s.succeeded(2));
            assertThat(command.calls())
                    .anySatisfy(c ->
                            assertThat(c)
                                    .contains("run http://localhost:1234/hello --pid " + PID)
                                    .contains("--concurrency 1,8"))
                    .anySatisfy(c -> assertThat(c).startsWith(PID + " 1234 run shop.yaml"));
        }
    }

    @Test
    void aRegressionFailsTheTest() throws IOException {
        try (var command = new FakeCommand(folder, "guard-regression.json", 4)) {
            Events tests = tests(Samples.Guarded.class);
            tests.assertStatistics(s -> s.failed(1));
            assertThat(thrown(tests))
                    .hasMessageContaining("cpuMsPerRequest")
                    .hasMessageContaining("1.050 (95 %: 1.030 to 1.070)")
                    .hasMessageContaining("com.acme.Price.of")
                    .hasMessageContaining("guard.md");
            assertThat(command.calls()).singleElement().asString().contains("guard shop.yaml");
        }
    }

    @Test
    void invalidMeasurementAbortsTestUnlessConfiguredToFail() throws IOException {
        try (var command = new FakeCommand(folder, "run.json", Command.INVALID)) {
            Events tests = tests(Samples.OfClass.class);
            tests.assertStatistics(s -> s.aborted(2).failed(0).succeeded(1));
            assertThat(thrown(tests)).isInstanceOf(TestAbortedException.class);
            assertThat(command.calls()).as("not repeated").hasSize(1);
            tests(Samples.Strict.class).assertStatistics(s -> s.failed(1));
        }
    }

    @Test
    void aMeasurementThatEndsWithAnErrorFailsTheTest() throws IOException {
        try (var command = new FakeCommand(folder, "", 1)) {
            Throwable thrown = thrown(tests(Samples.Strict.class));
            assertThat(thrown)
                    .isInstanceOf(DynoException.class)
                    .hasMessageContaining("code 1")
                    .hasMessageContaining("error: said on standard error");
            assertThat(command.calls()).hasSize(1);
        }
    }

    @Test
    void anOutputThatIsNoResultFailsTheTest() throws IOException {
        try (var command = new FakeCommand(folder, "no JSON", 0)) {
            assertThat(thrown(tests(Samples.Strict.class))).isInstanceOf(DynoException.class);
            assertThat(command.calls()).hasSize(1);
        }
    }

    @Test
    void aMeasurementWithoutAParameterIsAMistake() throws IOException {
        try (var command = new FakeCommand(folder, "run.json", 0)) {
            assertThat(thrown(tests(Samples.Unused.class)))
                    .isInstanceOf(ExtensionConfigurationException.class);
            assertThat(command.calls()).isEmpty();
        }
    }
}
