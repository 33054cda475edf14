package dev.jdyno.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.MetricsPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MetricsOptionTest {
    private static MetricsPlan parsed(Problems problems, String... args) {
        var option = new MetricsOption();
        var verb = new CommandLine(new Verb());
        verb.addMixin("metrics", option);
        verb.parseArgs(args);
        return option.of(MetricsPlan.SEARCH, problems);
    }

    @CommandLine.Command(name = "verb")
    private static final class Verb {}

    @Test
    void addressReplacesSearchAndNoMetricsDisablesSearch() {
        var problems = Problems.ofCommand("jdyno run");

        assertThat(parsed(problems)).isEqualTo(MetricsPlan.SEARCH);
        assertThat(parsed(problems, "--no-metrics")).isEqualTo(MetricsPlan.NONE);
        assertThat(parsed(problems, "--metrics", "http://127.0.0.1:9090/m"))
                .isEqualTo(MetricsPlan.ofUrl("http://127.0.0.1:9090/m"));
        problems.throwIfAny();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "jar:http://a/b!/c", "ftp://a/b", "metrics"})
    void metricsAddressMustBeHttp(String address) {
        var problems = Problems.ofCommand("jdyno run");

        parsed(problems, "--metrics", address);

        assertThatThrownBy(problems::throwIfAny).isInstanceOf(UserError.class);
    }

    @Test
    void bothOptionsContradictEachOther() {
        var problems = Problems.ofCommand("jdyno run");

        parsed(problems, "--no-metrics", "--metrics", "http://127.0.0.1:9090/m");

        assertThatThrownBy(problems::throwIfAny).isInstanceOf(UserError.class);
    }
}
