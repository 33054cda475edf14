package dev.jdyno.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.otlp.OtlpEndpoint;
import dev.jdyno.plan.Environment;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class OtlpOptionTest {
    private static final String URL = "http://127.0.0.1:4318";
    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    private final Problems problems = Problems.ofCommand("jdyno run");

    @CommandLine.Command(name = "verb")
    private static final class Verb {}

    private Optional<OtlpEndpoint> parsed(Map<String, String> variables, String... args) {
        var option = new OtlpOption();
        var verb = new CommandLine(new Verb());
        verb.addMixin("otlp", option);
        verb.parseArgs(args);
        Environment environment = name -> Optional.ofNullable(variables.get(name));
        return option.endpoint(environment, problems);
    }

    @Test
    void nothingIsSentWithoutTheOption() {
        assertThat(parsed(Map.of(HEADERS, "broken"))).isEmpty();
        problems.throwIfAny();
    }

    @Test
    void credentialsComeFromTheEnvironment() {
        OtlpEndpoint endpoint = parsed(Map.of(HEADERS, "api-key=x"), "--otlp", URL).orElseThrow();

        assertThat(endpoint.url()).hasToString(URL + "/v1/metrics");
        assertThat(endpoint.headers()).isEqualTo(Map.of("api-key", "x"));
        problems.throwIfAny();
    }

    @Test
    void aBrokenHeaderIsAMistakeOfItsVariable() {
        parsed(Map.of(HEADERS, "api-key: secret-1"), "--otlp", URL);

        assertThat(problems.list())
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.where()).isEqualTo(HEADERS);
                    assertThat(p.toString()).doesNotContain("secret-1");
                });
    }

    @Test
    void anAddressThatIsNoneIsAMistake() {
        parsed(Map.of(), "--otlp", "collector");

        assertThatThrownBy(problems::throwIfAny)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--otlp");
    }
}
