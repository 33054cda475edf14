package dev.jdyno.lab.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
    @Test
    void readsDelayAndSize() {
        Request request = Request.parse("GET /wait?ms=2.5&bytes=10 HTTP/1.1\r\n\r\n");

        assertThat(request).isEqualTo(new Request(200, 2_500_000, 10, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ms=-1", "ms=x", "ms=60001", "ms=NaN", "bytes=-1", "bytes=2e9"})
    void refusesInvalidRequest(String query) {
        assertThat(Request.parse("GET /wait?" + query + " HTTP/1.1\r\n\r\n").status())
                .isEqualTo(400);
    }

    @Test
    void onlyOnePathExists() {
        assertThat(Request.parse("GET / HTTP/1.1\r\n\r\n").status()).isEqualTo(404);
    }

    @Test
    void closesConnectionOnClientRequest() {
        assertThat(keepAlive("HTTP/1.1\r\n")).isTrue();
        assertThat(keepAlive("HTTP/1.1\r\nconnection: Close\r\n")).isFalse();
        assertThat(keepAlive("HTTP/1.0\r\n")).isFalse();
        assertThat(keepAlive("HTTP/1.0\r\nConnection: Keep-Alive\r\n")).isTrue();
    }

    @Test
    void answersInvalidRequestAndClosesConnection() {
        assertThat(Request.parse("hello\r\n\r\n")).isEqualTo(Request.NONE);
    }

    private static boolean keepAlive(String rest) {
        return Request.parse("GET /wait " + rest + "\r\n").keepAlive();
    }
}
