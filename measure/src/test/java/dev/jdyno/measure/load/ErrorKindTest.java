package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorKindTest {
    @Test
    void recommendsHeaderIfServerClosesConnections() {
        assertThat(ErrorKind.hint(Map.of("closed", 1699L, "timeout", 3L)))
                .contains("-H 'Connection: close'");
    }

    @Test
    void otherErrorsHaveNoGeneralFix() {
        assertThat(ErrorKind.hint(Map.of("closed", 3L, "status-503", 1699L))).isEmpty();
        assertThat(ErrorKind.hint(Map.of())).isEmpty();
    }
}
