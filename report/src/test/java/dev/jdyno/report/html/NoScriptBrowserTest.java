package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.report.LoadFixture;
import dev.jdyno.report.words.Figures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The report from a server whose policy forbids its scripts and its style sheet. Skipped if
/// Chromium is not installed.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoScriptBrowserTest {
    /// The strictest policy, and Jenkins' own policy for files of a build.
    private static final String STRICTEST = "sandbox; default-src 'none'";

    private static final String JENKINS =
            "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';";

    private Optional<Browser> browser = Optional.empty();
    private Optional<HttpServer> server = Optional.empty();
    private volatile String policy = STRICTEST;

    @BeforeAll
    void serve(@TempDir Path folder, @TempDir Path profile) throws Exception {
        browser = Browser.start(profile);
        assumeTrue(
                browser.isPresent(),
                "no chromium with chromedriver on the PATH: no page is looked at");
        Path report = folder.resolve("report.html");
        HtmlReport.write(LoadFixture.withGcLog(), report);
        byte[] page = Files.readAllBytes(report);
        HttpServer serving =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serving.createContext(
                "/",
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/html");
                    exchange.getResponseHeaders().set("Content-Security-Policy", policy);
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        serving.start();
        server = Optional.of(serving);
    }

    @AfterAll
    void close() {
        browser.ifPresent(Browser::close);
        server.ifPresent(s -> s.stop(0));
    }

    private Browser opened(String under) {
        policy = under;
        browser.orElseThrow()
                .open("http://127.0.0.1:" + server.orElseThrow().getAddress().getPort() + "/");
        return browser.orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {STRICTEST, JENKINS})
    void everyFigureAndEveryChartCanBeRead(String under) throws Exception {
        RunResult result = LoadFixture.withGcLog();

        Browser page = opened(under);

        List<String> shown = page.shown();
        String text = String.join("\n", shown);
        assertThat(text).contains(result.verdict().bottleneck().key());
        for (Round r : result.rounds()) {
            assertThat(shown)
                    .as("%d in flight", r.concurrency())
                    .contains(Figures.number(r.qps()), Figures.number(r.rtMs().p99()));
        }
        // the texts along the axes of the charts
        assertThat(shown)
                .contains(
                        "concurrency", "time since the run began, s", "share of requests", "90 %");
        for (String colour : List.of("--measured", "--tail", "--pool")) {
            assertThat(page.pixels(Assets.colour(colour)))
                    .as("%s of the charts", colour)
                    .isGreaterThan(30);
        }
        assertThat(page.elements("CANVAS")).as("no script draws here").isZero();
    }
}
