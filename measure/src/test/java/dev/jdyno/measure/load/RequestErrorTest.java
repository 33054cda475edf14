package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestErrorTest {
    @ParameterizedTest
    @CsvSource({
        "check, true",
        "status-500, true",
        "status-404, true",
        "connect-refused, false",
        "timeout, false",
        "closed, false",
        "of-a-later-version, false"
    })
    void completeUnexpectedReplyIsWrongAnswer(String kind, boolean wrong) {
        assertThat(RequestError.of(kind).isWrongAnswer()).isEqualTo(wrong);
        assertThat(RequestError.of(kind).key()).isEqualTo(kind);
    }
}
