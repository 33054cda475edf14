package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServeCommandTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:7070, 127.0.0.1, 7070",
        "[::1]:0, ::1, 0",
        "localhost:65535, localhost, 65535"
    })
    void takesNamesAndAddresses(String text, String host, int port) {
        assertThat(ServeCommand.HostPort.of(text)).contains(new ServeCommand.HostPort(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7070", ":7070", "localhost", "::1:7070", "[::1]", "h:65536", "[h]:1"})
    void refusesWhatIsNone(String text) {
        assertThat(ServeCommand.HostPort.of(text)).isEmpty();
    }

    @Test
    void theHintForATokenCanBeRead() {
        var err = new StringWriter();
        int exitCode =
                Main.run(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        "serve",
                        "--listen",
                        "0.0.0.0:0");
        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("--token", "@").doesNotContain("***");
    }
}
