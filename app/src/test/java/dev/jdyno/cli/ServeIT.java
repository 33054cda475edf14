package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The released jar contains all files that `serve` needs.
class ServeIT {
    @Test
    void jarServesUntilTerminated(@TempDir Path folder) throws Exception {
        Process serving =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-jar",
                                System.getProperty("jdyno.jar"),
                                "serve",
                                "--listen",
                                "127.0.0.1:0",
                                "--store",
                                folder.resolve("store/history.db").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var lines = serving.inputReader()) {
            String said = String.valueOf(lines.readLine());
            assertThat(said).startsWith("serving http://127.0.0.1:");
            URI at = URI.create(said.substring("serving ".length()));
            assertThat(at.getQuery()).startsWith("token=");
            HttpClient browser =
                    HttpClient.newBuilder()
                            .followRedirects(HttpClient.Redirect.NORMAL)
                            .cookieHandler(new CookieManager())
                            .build();
            HttpResponse<String> page =
                    browser.send(
                            HttpRequest.newBuilder(at).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.uri().toString()).doesNotContain("token=");
            serving.toHandle().destroy();
            assertThat(serving.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            serving.destroyForcibly();
        }
    }
}
