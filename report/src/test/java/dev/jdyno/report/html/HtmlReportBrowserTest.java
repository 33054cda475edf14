package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.report.LoadFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/// A report file in a real browser. Skipped with a message if no browser is installed.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HtmlReportBrowserTest {
    /// Drags over a part of the first chart, or double-clicks there.
    private static final String FIRE =
            """
            const over = document.querySelector(".u-over"), box = over.getBoundingClientRect();
            const fire = (on, type, share) => on.dispatchEvent(new MouseEvent(type, {
              clientX: box.left + box.width * share, clientY: box.top + box.height / 2,
              button: 0, buttons: 1, bubbles: true, view: window, movementX: 9 }));
            """;

    private static final String DRAG =
            FIRE
                    + """
                    window.first = [...document.querySelectorAll("canvas")].map((c) => c.toDataURL());
                    fire(over, "mouseenter", 0.3); fire(over, "mousemove", 0.3); fire(over, "mousedown", 0.3);
                    fire(over, "mousemove", 0.6); fire(document, "mouseup", 0.6);
                    return 0;
                    """;

    private static final String RESET = FIRE + "fire(over, 'dblclick', 0.6); return 0;";

    /// Number of charts that changed after the drag.
    private static final String CHANGED =
            """
            return [...document.querySelectorAll("canvas")]
              .filter((c, i) => c.toDataURL() !== window.first[i]).length;
            """;

    /// Name of the lowest frame that has the full width of the flame graph.
    private static final String WIDEST =
            """
            const all = document.querySelector(".flame > .fl").getBoundingClientRect().width;
            return [...document.querySelectorAll(".fl > span")]
              .filter((s) => s.getBoundingClientRect().width > all - 2).at(-1).title.split(": ")[0];
            """;

    /// Names in the visible rows, without the counts of folded rows.
    private static final String ROWS =
            """
            return [...document.querySelectorAll(".fl > span")].filter((s) => s.checkVisibility())
              .map((s) => s.textContent.split(" + ")[0]);
            """;

    private Optional<Browser> browser = Optional.empty();

    @TempDir private Path folder;

    @BeforeAll
    void start(@TempDir Path profile) {
        browser = Browser.start(profile);
        assumeTrue(
                browser.isPresent(),
                "no chromium with chromedriver on the PATH: no page is looked at");
    }

    @AfterAll
    void close() {
        browser.ifPresent(Browser::close);
    }

    @AfterEach
    void nothingIsWrong() {
        assertThat(browser.orElseThrow().consoleErrors()).isEmpty();
    }

    @Test
    void bothChartsAreDrawn() {
        assertThat(open(ResultFixture.e1()).drawn()).isEqualTo(2);
    }

    @Test
    void hostileTextsDoNotRun() {
        Object title = open(ResultFixture.monstrous()).run("return document.title;");

        assertThat(title.toString()).endsWith("· jdyno");
    }

    @Test
    void theChartsOfAGcLogAreDrawn() {
        assertThat(openGcLog().drawn()).isEqualTo(5);
    }

    @Test
    void zoomAppliesToAllChartsOverTime() throws InterruptedException {
        Browser page = openGcLog();

        page.run(DRAG);
        page.until(p -> p.run(CHANGED).equals(5L));
        page.run(RESET);
        page.until(p -> p.run(CHANGED).equals(0L));
    }

    /// 40 % of the samples are in `price`, below two callers. A quarter of those are in `Map.get`.
    private static RunResult withFlameGraph() {
        var get = new Profile.Node("java.util.Map.get", 10, List.of());
        var once = new Profile.Node("com.acme.Shop.price", 30, List.of(get));
        var twice = new Profile.Node("com.acme.Shop.price", 10, List.of());
        var pool =
                new Profile.Node(
                        "http-nio-exec",
                        100,
                        List.of(
                                new Profile.Node("com.acme.Shop.list", 60, List.of(once)),
                                new Profile.Node("com.acme.Shop.item", 40, List.of(twice))));
        var root = new Profile.Node("all", 100, List.of(pool));
        return ResultFixture.e1()
                .withInsight(
                        new Insight(
                                List.of(
                                        new Profile(
                                                Profile.Kind.CPU, "test", 40, 175, 0.01, 0, root)),
                                List.of(),
                                List.of(),
                                List.of()));
    }

    @Test
    void framesAreFoundWithTheirShare() throws InterruptedException {
        Browser page = open(withFlameGraph());

        page.type(".flamebar input", "PRICE");
        page.until(p -> p.count(".fl.hit") == 2);
        assertThat(page.text(".flamebar output")).isEqualTo("2 frames, 40.0 %");
    }

    @Test
    void clickOnFrameZoomsToGraphWidth() throws InterruptedException {
        Browser page = open(withFlameGraph());

        page.click("[title^='com.acme.Shop.item']");
        page.until(p -> p.run(WIDEST).equals("com.acme.Shop.item"));
        page.click(".flamebar button");
        page.until(p -> p.run(WIDEST).equals("http-nio-exec"));
    }

    /// Rows of Tomcat and the JDK above one frame of the application, and rows of the JDK below it.
    private static RunResult withLibraries() {
        var node = new Profile.Node("java.util.Formatter.print", 60, List.of());
        node = new Profile.Node("java.util.Formatter.format", 60, List.of(node));
        node = new Profile.Node("java.lang.String.format", 60, List.of(node));
        node = new Profile.Node("com.acme.Shop.list", 80, List.of(node));
        for (String frame :
                List.of(
                        "org.apache.catalina.Valve.invoke",
                        "org.apache.coyote.Adapter.service",
                        "java.lang.Thread.run")) {
            node = new Profile.Node(frame, 100, List.of(node));
        }
        var root =
                new Profile.Node(
                        "all", 100, List.of(new Profile.Node("http-nio-exec", 100, List.of(node))));
        return ResultFixture.e1()
                .withInsight(
                        InsightVariant.profile(
                                new Profile(Profile.Kind.CPU, "test", 40, 175, 0.01, 0, root),
                                new Library(
                                        "Tomcat",
                                        List.of(
                                                "org.apache.coyote.Adapter.service",
                                                "org.apache.catalina.Valve.invoke"))));
    }

    private static List<String> rows(Browser page) {
        return ((List<?>) page.run(ROWS)).stream().map(String::valueOf).toList();
    }

    @Test
    void libraryRowsAreFoldedUntilClicked() throws InterruptedException {
        Browser page = open(withLibraries());

        assertThat(page.text(".firsts")).contains("com.acme.Shop.list", "80 %");
        assertThat(rows(page))
                .isEqualTo(
                        List.of(
                                "all",
                                "http-nio-exec",
                                "Thread.run",
                                "Shop.list",
                                "String.format"));
        page.click("[title^='java.lang.Thread.run']");
        page.until(p ->
                rows(p).equals(
                                List.of(
                                        "all",
                                        "http-nio-exec",
                                        "Thread.run",
                                        "Adapter.service",
                                        "Valve.invoke",
                                        "Shop.list",
                                        "String.format")));
        page.click("button[aria-pressed]");
        page.until(p -> rows(p).size() == 9);
        page.click("button[aria-pressed]");
        page.until(p -> rows(p).size() == 5);
    }

    @Test
    void foundFrameIsShownInFoldedRow() throws InterruptedException {
        Browser page = open(withLibraries());

        page.type(".flamebar input", "valve");
        page.until(p -> p.text(".flamebar output").equals("1 frames, 100.0 %"));
        assertThat(rows(page)).contains("Valve.invoke").doesNotContain("Formatter.print");
    }

    @Test
    void theKeyboardMovesOpensAndMakesWide() throws InterruptedException {
        Browser page = open(withLibraries());

        page.run("document.querySelector('.flame').focus({ focusVisible: true }); return 0;");
        page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.SPACE);
        page.until(p -> rows(p).contains("Valve.invoke"));
        page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER);
        page.until(p -> p.run(WIDEST).equals("com.acme.Shop.list"));
        assertThat(page.text(".flamebar .at")).startsWith("com.acme.Shop.list: 80 %");
        page.press(Keys.ESCAPE);
        page.until(p -> p.run(WIDEST).equals("org.apache.catalina.Valve.invoke"));
    }

    /// Two charts over the load, three over time, two of response-time distributions, and two of
    /// the GC log.
    @Test
    void everyChartOfAWholeResultIsDrawn() {
        assertThat(open(LoadFixture.withGcLog()).drawn()).isEqualTo(9);
    }

    @Test
    void theLoadOverTimeIsZoomedApartFromTheGcLog() throws InterruptedException {
        Browser page = open(LoadFixture.withGcLog());

        page.run(DRAG.replace("\".u-over\"", "\"[data-time=load] .u-over\""));
        page.until(p -> p.run(CHANGED).equals(3L));
        page.run(RESET.replace("\".u-over\"", "\"[data-time=load] .u-over\""));
        page.until(p -> p.run(CHANGED).equals(0L));
    }

    /// A phone in portrait orientation, with light and dark colours.
    @Test
    void thePageFitsANarrowWindow() throws InterruptedException {
        Browser page = browser.orElseThrow();
        try {
            page.size(390, 844);
            page.dark(true);
            open(LoadFixture.withGcLog());
            page.until(p -> p.overflow() <= 0 && p.drawn() == 9);
        } finally {
            page.size(1300, 900);
            page.dark(false);
        }
    }

    /// On a phone, a tablet and a desktop, no element is wider than the window. If the window is
    /// high enough, it shows the whole verdict.
    @Test
    void verdictIsOnFirstScreen() throws InterruptedException {
        Browser page = browser.orElseThrow();
        try {
            for (int width : new int[] {390, 820, 1300}) {
                page.size(width, 900);
                open(ResultFixture.e1());
                page.until(p -> p.overflow() <= 0 && p.drawn() == 2);
                Object bottom =
                        page.run(
                                "return Math.round(document.querySelector('.verdict')"
                                        + ".getBoundingClientRect().bottom);");
                assertThat((long) bottom).as("at %d", width).isLessThan(width < 800 ? 1400 : 800);
            }
        } finally {
            page.size(1300, 900);
        }
    }

    @Test
    void pageLoadsOnlyFiles() {
        browser.orElseThrow().requests();

        assertThat(open(LoadFixture.withGcLog()).requests()).allMatch(u -> u.startsWith("file:"));
    }

    private Browser openGcLog() {
        var log = Path.of("../gclog/src/test/resources/gclog/jdk17-serial.log.gz");
        var analysis = GcLog.read(List.of(log), GcLog.Options.DEFAULT);
        Path page = folder.resolve("gc.html");
        HtmlReport.write(analysis, List.of(), OptionalDouble.empty(), "0.1.0", page);
        return open(page);
    }

    private Browser open(RunResult result) {
        Path page = folder.resolve("report.html");
        HtmlReport.write(result, page);
        return open(page);
    }

    private Browser open(Path page) {
        browser.orElseThrow().open(page.toUri().toString());
        return browser.orElseThrow();
    }
}
