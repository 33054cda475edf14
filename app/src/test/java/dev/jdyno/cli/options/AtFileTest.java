package dev.jdyno.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.options.AtFile.Header;
import dev.jdyno.measure.text.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtFileTest {
    @TempDir Path dir;
    private final Problems problems = new Problems();

    @Test
    void fileHasOneHeaderPerLine() throws Exception {
        Path file =
                Files.writeString(
                        dir.resolve("headers"), "Authorization: Bearer a:b\r\n\nAccept:text/plain");

        assertThat(AtFile.headers(List.of("X-First: 1", "@" + file, "X-Last: 2"), problems))
                .containsExactly(
                        new Header("X-First", "1"),
                        new Header("Authorization", "Bearer a:b"),
                        new Header("Accept", "text/plain"),
                        new Header("X-Last", "2"));
        assertThat(problems.isEmpty()).isTrue();
    }

    @Test
    void reportsLineOfMistakeWithoutItsContent() throws Exception {
        Path file = Files.writeString(dir.resolve("headers"), "Accept: a\nBearer s3cret\n");

        assertThat(AtFile.headers(List.of("@" + file, "Authorization s3cret"), problems))
                .hasSize(1);

        assertThat(problems.list()).hasSize(2);
        assertThat(problems.list().getFirst().where()).endsWith("headers:2");
        assertThat(problems.list().toString()).doesNotContain("s3cret");
    }

    @Test
    void aFileThatCannotBeReadIsAMistake() throws Exception {
        Path binary = Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(AtFile.headers(List.of("@" + dir.resolve("missing")), problems)).isEmpty();
        assertThat(AtFile.text("-b", "@" + binary, problems)).isEmpty();
        assertThat(AtFile.bytes("-b", "@" + binary, problems).orElseThrow()).hasSize(2);

        assertThat(problems.list()).hasSize(2);
    }

    @Test
    void bodyIsGivenAsTextOrAsFile() throws Exception {
        Path file = Files.writeString(dir.resolve("body"), "{\"a\": 1}\n");

        assertThat(AtFile.text("-b", "plain", problems)).contains("plain");
        assertThat(AtFile.text("-b", "@" + file, problems)).contains("{\"a\": 1}\n");
    }
}
