package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileResultTest {
    @TempDir Path dir;

    private static UserError refused(Path file) {
        return catchThrowableOfType(UserError.class, () -> ResultJson.read(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"requests\": 99999999999999999999999999",
                "\"requests\": 1e400",
                "\"requests\": -1.5",
                "\"requests\": \"NaN\"",
                "\"requests\": null"
            })
    void numbersThatNoLongHoldsAreNamedByTheirKey(String number) throws IOException {
        String good = Files.readString(Path.of("src/test/resources/report/result.json"));
        String broken = good.replaceFirst("\"requests\": \\d+", number);
        assertThat(broken).isNotEqualTo(good);

        UserError refused = refused(Files.writeString(dir.resolve("result.json"), broken));

        assertThat(refused.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(refused.why()).startsWith("rounds[0].requests ");
    }

    @Test
    void depthNodesAndSizeAreLimited() throws IOException {
        for (String text :
                new String[] {
                    "[".repeat(1_000_000),
                    "[" + "[],".repeat(2_000_001) + "1]",
                    "\"\\ud800",
                    "\0",
                    ""
                }) {
            assertThat(refused(Files.writeString(dir.resolve("a.json"), text)).kind())
                    .isEqualTo(UserError.Kind.USAGE);
        }
        Path sparse = dir.resolve("sparse.json");
        try (var file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(6L << 30);
        }
        assertThat(refused(sparse).kind()).isEqualTo(UserError.Kind.USAGE);
    }
}
