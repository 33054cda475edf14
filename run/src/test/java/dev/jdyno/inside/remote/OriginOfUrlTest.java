package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.HttpUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginOfUrlTest {
    @ParameterizedTest
    @CsvSource({
        "http://u:secret@my_service:8080/a?token=1, http://my_service:8080",
        "https://shop/a, https://shop:443",
        "http://[::1]/, http://[::1]:80"
    })
    void anAgentIsToldWhereTheLoadGoesAndNotWhatItAsks(String url, String told) {
        assertThat(RemoteInside.origin(HttpUrl.parse(url))).hasToString(told);
    }
}
