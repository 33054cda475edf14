package dev.jdyno.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cli.CliOutput;
import dev.jdyno.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// Two jdyno processes load one server. The other one is a separate process.
class OtherLoadsTest {
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private String url(String host, String path) {
        return "http://" + host + ":" + server.getAddress().getPort() + path;
    }

    private static CliOutput load(String url) {
        return CliOutput.jdyno("load", url, "-c", "1", "-n", "10", "--json", "--quiet");
    }

    private Process another() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "load",
                        url("127.0.0.1", "/other"),
                        "-c",
                        "1",
                        "-r",
                        "50",
                        "-d",
                        "5m")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    void warningNamesTheOtherLoadProcessOfTheSameServer() throws Exception {
        assertThat(load(url("127.0.0.1", "/")).err()).doesNotContain("warning");
        Process other = another();
        try {
            CliOutput said = load(url("localhost", "/"));
            while (!said.err().contains("warning")) {
                assertThat(other.isAlive()).as("the other one, that does not load yet").isTrue();
                said = load(url("localhost", "/"));
            }

            assertThat(said.err()).contains("jdyno load", "process " + other.pid());
            assertThat(JsonMapper.shared().readTree(said.out()).at("/validity/warnings").toString())
                    .contains("other-load", "process " + other.pid());
            assertThat(said.code()).isIn(List.of(0, 3));
        } finally {
            other.destroyForcibly();
        }
        other.onExit().join();

        assertThat(load(url("127.0.0.1", "/")).err()).doesNotContain("warning");
    }
}
