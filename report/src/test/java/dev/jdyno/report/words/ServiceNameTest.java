package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.RunResult;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceNameTest {
    private static String of(String name, String commandLine) {
        return ServiceName.of(new RunResult.About("0.1.0", commandLine, Instant.EPOCH, 1, name));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "jdyno run --url http://127.0.0.1:80/api/quotes/A-17 --pid 4, 127.0.0.1:80/api/quotes/A-17",
                "jdyno run http://127.0.0.1:80/duplicates?name=x&town=y, 127.0.0.1:80/duplicates",
                "jdyno run 'https://127.0.0.1:80/a#b', 127.0.0.1:80/a",
                "jdyno run http://127.0.0.1:80/, 127.0.0.1:80",
                "jdyno run http://127.0.0.1:80, 127.0.0.1:80",
                "jdyno run --launch java-Dx=http://other/a http://127.0.0.1:80/b, 127.0.0.1:80/b",
                "jdyno run plan.yaml, 127.0.0.1:80",
            })
    void theHostIsNamedWithThePathOfItsUrl(String commandLine, String name) {
        assertThat(of("127.0.0.1:80", commandLine)).isEqualTo(name);
    }

    @Test
    void nameGivenInThePlanIsKept() {
        assertThat(of("shop", "jdyno run --url http://127.0.0.1:80/a")).isEqualTo("shop");
    }

    @Test
    void aLongPathIsCut() {
        assertThat(of("h", "jdyno run http://h/" + "a".repeat(200)))
                .isEqualTo("h/" + "a".repeat(79) + "…");
    }
}
