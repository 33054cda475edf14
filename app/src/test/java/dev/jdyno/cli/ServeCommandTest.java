package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void refusesInvalidHostAndPort(String text) {
        assertThat(ServeCommand.HostPort.of(text)).isEmpty();
    }

    private static String refused(String... words) {
        var err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), words);
        assertThat(exitCode).as(err.toString()).isEqualTo(2);
        return err.toString();
    }

    /// Every user of the machine can read command lines.
    @Test
    void aTokenOnTheCommandLineIsRefusedAndNotRepeated() {
        String word = "0123456789abcdef0123";
        for (String[] form :
                new String[][] {
                    {"serve", "--listen", "127.0.0.1:0", "--token", word},
                    {"serve", "--listen", "127.0.0.1:0", "--token=" + word}
                }) {
            assertThat(refused(form))
                    .contains("after an @, to --token", "JDYNO_SERVE_TOKEN")
                    .doesNotContain(word, "***");
        }
    }

    @Test
    void aShortTokenIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "short-one");
        assertThat(refused("serve", "--listen", "127.0.0.1:0", "--token", "@" + file))
                .doesNotContain("short-one");
    }

    @Test
    void listensOnlyForThisMachine(@TempDir Path folder) throws IOException {
        assertThat(refused("serve", "--listen", "0.0.0.0:0", "--open")).contains("--open");
        Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef0123");
        assertThat(refused("serve", "--listen", "127.0.0.1:0", "--open", "--token", "@" + file))
                .contains("--open");
    }
}
