package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.measure.RunResult;
import dev.jdyno.report.ResultFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser. Skipped, with a word, where there is no Chromium.
class HtmlReportBrowserTest {
    /// A cold Chromium on a busy two-core machine needs seconds, never this long.
    private static final int MOST_SECONDS = 60;

    @TempDir Path folder;

    @Test
    void bothChartsAreDrawnWithoutAnError() throws Exception {
        var seen = open(ResultFixture.e1());

        assertThat(Pattern.compile("<canvas").matcher(seen.dom).results()).hasSize(2);
        assertThat(seen.console).isEmpty();
    }

    @Test
    void hostileTextsDoNotRun() throws Exception {
        var seen = open(ResultFixture.monstrous());

        assertThat(seen.dom).contains("· jdyno</title>");
        assertThat(seen.dom).doesNotContain("<title>owned");
        assertThat(seen.console).isEmpty();
    }

    /// @param dom the document after its scripts ran
    /// @param console the lines that the page or the browser wrote about it
    private record Seen(String dom, List<String> console) {}

    /// Drags over a part of the first chart, then double-clicks there; writes how many pictures the
    /// first changed and how many the second brought back.
    private static final String DRAG =
            """
            <script>
            const over = document.querySelector(".u-over"), box = over.getBoundingClientRect();
            const pictures = () => [...document.querySelectorAll("canvas")].map((c) => c.toDataURL());
            const fire = (on, type, share) => on.dispatchEvent(new MouseEvent(type, {
              clientX: box.left + box.width * share, clientY: box.top + box.height / 2,
              button: 0, buttons: 1, bubbles: true, view: window, movementX: 9 }));
            setTimeout(() => {
              const first = pictures();
              fire(over, "mouseenter", 0.3); fire(over, "mousemove", 0.3); fire(over, "mousedown", 0.3);
              fire(over, "mousemove", 0.6); fire(document, "mouseup", 0.6);
              setTimeout(() => {
                document.body.dataset.changed = pictures().filter((p, i) => p !== first[i]).length;
                fire(over, "dblclick", 0.6);
                setTimeout(() => {
                  document.body.dataset.back = pictures().filter((p, i) => p === first[i]).length;
                }, 300);
              }, 300);
            }, 300);
            </script>
            """;

    private static final Pattern CSP =
            Pattern.compile("<meta http-equiv=\"Content-Security-Policy\"[^>]*>");

    @Test
    void theChartsOfAGcLogAreDrawnWithoutAnError() throws Exception {
        var seen = open(gcPage());

        assertThat(Pattern.compile("<canvas").matcher(seen.dom).results()).hasSize(5);
        assertThat(seen.console).isEmpty();
    }

    @Test
    void whatIsZoomedInOneChartOverTimeIsZoomedInAll() throws Exception {
        Path page = gcPage();
        // the page allows no script but its own
        Files.writeString(page, CSP.matcher(Files.readString(page)).replaceFirst("") + DRAG);

        var seen = open(page);

        assertThat(seen.console).isEmpty();
        assertThat(seen.dom).contains("data-changed=\"5\"").contains("data-back=\"5\"");
    }

    private Path gcPage() throws IOException {
        var log = Path.of("../gclog/src/test/resources/gclog/jdk17-serial.log.gz");
        var analysis = GcLog.read(List.of(log), GcLog.Options.DEFAULT);
        Path page = folder.resolve("gc.html");
        HtmlReport.write(analysis, List.of(), OptionalDouble.empty(), "0.1.0", page);
        return page;
    }

    private Seen open(RunResult result) throws IOException, InterruptedException {
        Path page = folder.resolve("report.html");
        HtmlReport.write(result, page);
        return open(page);
    }

    private Seen open(Path page) throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "no chromium on the PATH: the page is not opened");
        Path dom = folder.resolve("dom.html");
        Path log = folder.resolve("log.txt");

        Process process =
                new ProcessBuilder(
                                browser.get().toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-background-networking",
                                "--user-data-dir=" + folder.resolve("profile"),
                                "--enable-logging=stderr",
                                "--virtual-time-budget=2000",
                                "--dump-dom",
                                page.toUri().toString())
                        .redirectOutput(dom.toFile())
                        .redirectError(log.toFile())
                        .start();
        try {
            assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Seen(
                Files.readString(dom),
                Files.readAllLines(log).stream().filter(l -> l.contains("CONSOLE")).toList());
    }

    private static Optional<Path> browser() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(d ->
                        Stream.of("chromium", "chromium-browser", "google-chrome")
                                .map(Path.of(d)::resolve))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
