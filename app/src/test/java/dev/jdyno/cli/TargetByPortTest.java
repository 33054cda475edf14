package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetByPortTest {
    private static final RunningJvm SHOP = jvm(11, false, RunningJvm.Access.ALL);
    private static final RunningJvm OTHER = jvm(12, false, RunningJvm.Access.ALL);
    private static final RunningJvm IN_A_CONTAINER = jvm(13, true, RunningJvm.Access.ALL);
    private static final RunningJvm IN_ANOTHER = jvm(14, true, RunningJvm.Access.ALL);

    private static RunningJvm jvm(long pid, boolean ownNetwork, RunningJvm.Access access) {
        return new RunningJvm(
                pid,
                Optional.of("app"),
                List.of(8080),
                "shop.jar",
                Optional.empty(),
                Optional.of(1.0),
                Optional.empty(),
                access,
                ownNetwork);
    }

    private static UserError refused(List<RunningJvm> listening, boolean anything) {
        try {
            RunningJvm chosen = TargetByPort.choose(8080, listening, anything);
            throw new AssertionError("chosen: " + chosen);
        } catch (UserError e) {
            return e;
        }
    }

    @Test
    void theOnlyJvmOfThisNetworkIsChosen() {
        assertThat(TargetByPort.choose(8080, List.of(SHOP), true)).isEqualTo(SHOP);
        assertThat(TargetByPort.choose(8080, List.of(IN_A_CONTAINER, SHOP), true)).isEqualTo(SHOP);
    }

    @Test
    void choosesNoneOfSeveralJvms() {
        assertThat(refused(List.of(SHOP, OTHER, IN_A_CONTAINER), true).fix())
                .contains("--pid 11", "--pid 12")
                .doesNotContain("--pid 13");
    }

    /// For example, a web server listens on the port of this host, and a JVM on the unpublished
    /// port of a container.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neverChoosesJvmOfOtherNetwork(boolean anything) {
        assertThat(refused(List.of(IN_A_CONTAINER), anything).fix()).contains("--pid 13");
        assertThat(refused(List.of(IN_A_CONTAINER, IN_ANOTHER), anything).fix())
                .contains("--pid 13", "--pid 14");
    }

    @Test
    void neverChoosesUnobservableJvm() {
        RunningJvm openJ9 = jvm(15, false, RunningJvm.Access.LOAD_ONLY);

        assertThat(refused(List.of(openJ9), true).fix()).contains("--no-target");
    }

    @Test
    void errorShowsWhetherOtherProcessListens() {
        assertThat(refused(List.of(), false).kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(refused(List.of(), true).kind()).isEqualTo(UserError.Kind.USAGE);
    }

    /// These host names have no address. Java uses the loopback device for an empty host name.
    @ParameterizedTest
    @CsvSource({
        "http://no_such_service.invalid:8080/x, no_such_service.invalid:port=8080",
        "https://user@no_such_service.invalid/, no_such_service.invalid:port=443",
        "http://no-such-service.invalid/, no-such-service.invalid:port=80"
    })
    void neverSearchesTargetOfOtherHostHere(String url, String observed) {
        URI parsed = HttpUrl.parse(url);

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> TargetByPort.ofThisHost().find(parsed))
                .satisfies(e ->
                        assertThat(e.fix())
                                .contains(observed, "--key-file", "--token-file", "--no-target"));
    }
}
