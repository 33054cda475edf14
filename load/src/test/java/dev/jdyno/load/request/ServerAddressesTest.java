package dev.jdyno.load.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerAddressesTest {
    @Test
    void usesAddressThatAcceptsConnections() throws IOException {
        try (var server = new ServerSocket(0, 8, InetAddress.ofLiteral("127.0.0.1"))) {
            int port = server.getLocalPort();

            var found =
                    ServerAddresses.of(
                            LoadSpec.to(URI.create("http://localhost:" + port + "/")).build());

            assertThat(ServerAddresses.text(found.used())).containsExactly("127.0.0.1:" + port);
            assertThat(ServerAddresses.text(found.unanswered())).contains("[::1]:" + port);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:80",
        "::1, [::1]:80",
        "2001:db8::1, [2001:db8::1]:80",
        "2001:db8:1:2:3:4:5:6, [2001:db8:1:2:3:4:5:6]:80",
    })
    void addressesAreWrittenAsInAUrl(String address, String text) {
        var given = new InetSocketAddress(InetAddress.ofLiteral(address), 80);

        assertThat(ServerAddresses.text(List.of(given))).containsExactly(text);
    }
}
