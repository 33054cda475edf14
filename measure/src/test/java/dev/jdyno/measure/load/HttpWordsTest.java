package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpWordsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "GET ", "GET / HTTP/1.1\r\nX:", "G\nET", "GET\u0000", "SET x y"})
    void refusesInvalidMethod(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpWords.method(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "a\u0000", "ä", "a:", "(a)"})
    void refusesInvalidHeaderName(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpWords.headerName(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\rb", "\u0000", "\u007f", "\u001b[1m"})
    void refusesInvalidHeaderValue(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpWords.headerValue(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text/html; q=0.5", "\ta", "größer", "{{token}}", "\"a\""})
    void acceptsHeaderValues(String text) {
        assertThat(HttpWords.headerValue(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "X-Request_Id", "a.b", "!#$%&'*+-.^_`|~0"})
    void acceptsHeaderNames(String text) {
        assertThat(HttpWords.headerName(text)).isEqualTo(text);
    }
}
