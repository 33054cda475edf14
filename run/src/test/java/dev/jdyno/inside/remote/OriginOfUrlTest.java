package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.HttpUrl;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginOfUrlTest {
    @ParameterizedTest
    @CsvSource({
        "http://u:secret@my_service:8080/a?token=1, http://my_service:8080",
        "https://shop/a, https://shop:443",
        "http://[::1]/, http://[::1]:80"
    })
    void agentReceivesOriginWithoutPath(String url, String told) {
        assertThat(RemoteInside.origin(HttpUrl.parse(url), OptionalInt.empty())).hasToString(told);
    }

    /// The URL has the port of the port forward, but the agent needs the service's own port.
    @Test
    void behindAPortForwardTheServiceHasAnotherPort() {
        assertThat(
                        RemoteInside.origin(
                                HttpUrl.parse("http://127.0.0.1:40001/a"), OptionalInt.of(8080)))
                .hasToString("http://127.0.0.1:8080");
    }
}
