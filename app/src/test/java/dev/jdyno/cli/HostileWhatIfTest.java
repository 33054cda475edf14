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
import org.junit.jupiter.params.provider.ValueSource;

/// Impossible figures end with exit code 2.
class HostileWhatIfTest {
    @TempDir private Path dir;

    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "0", "\"inf\"", "\"nan\"", "2147483647", "1e300"})
    void survivesResultWithUnmeasuredKnee(String qps) throws IOException {
        String good = Files.readString(Path.of("../report/src/test/resources/report/result.json"));
        int knee = good.indexOf("\"knee\": {");
        String broken =
                good.substring(0, knee)
                        + good.substring(knee).replaceFirst("\"qps\": [0-9.]+", "\"qps\": " + qps);
        Path file = Files.writeString(dir.resolve("result.json"), broken);

        assertThat(run("whatif", file.toString())).isIn(0, 2);
        assertThat(err.toString()).doesNotContain("jdyno itself failed");
    }

    @Test
    void aModelOfABillionRequestsIsNotReckoned() {
        assertThat(run("whatif", "--resource", "cpu=1/1", "--delay", "io=1000000000")).isEqualTo(2);
    }
}
