package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.history.History;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.html.Browser;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.trial.Silent;
import dev.jdyno.watch.WatchFixture;
import dev.jdyno.watch.WatchedDays;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/// Opens every page in a real browser and uses it. Skipped with a message if no browser is
/// installed.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesBrowserTest {
    /// Each page with the number of its charts.
    private static final List<Page> PAGES =
            List.of(
                    new Page("", 0),
                    new Page("?q=nothing", 0),
                    new Page("runs?plan=shop", 0),
                    new Page("runs/day-03", 0),
                    new Page("runs/day-03/report", 2),
                    new Page("runs/day-03/gc?file=gc.log", 5),
                    new Page("trend?plan=shop&figure=qps", 1),
                    new Page("compare?a=day-03&b=day-09", 0),
                    new Page("watch", 0),
                    new Page("watch/day?service=shop&day=2026-11-30", 3),
                    new Page(
                            "watch/range?service=shop&from=2026-11-30T14:00:00Z&to=2026-11-30T14:10:00Z",
                            0),
                    new Page("live", 0));

    private record Page(String path, int charts) {}

    private final Live live = new Live("shop", new Silent());
    private Optional<Browser> browser = Optional.empty();
    private Optional<Server> server = Optional.empty();
    private Optional<Server> running = Optional.empty();

    @BeforeAll
    void aWeek(@TempDir Path folder, @TempDir Path profile) throws Exception {
        browser = Browser.start(profile);
        assumeTrue(
                browser.isPresent(),
                "no chromium with chromedriver on the PATH: no page is looked at");
        Path files = Files.createDirectories(folder.resolve("out"));
        HtmlReport.write(ResultFixture.e1(), files.resolve("report.html"));
        History history = Week.of("shop", folder.resolve("store/history.db"), files);
        WatchedDays days = new WatchedDays(WatchFixture.write(folder.resolve("watch")));
        server = Optional.of(serve(history, Optional.empty(), Optional.of(days)));
        running = Optional.of(serve(history, Optional.of(live), Optional.empty()));
    }

    private static Server serve(History history, Optional<Live> live, Optional<WatchedDays> days) {
        return Server.start(
                "127.0.0.1",
                0,
                Optional.of(Server.randomToken()),
                new Server.Shown(history, live, days, GcPages::html, "test"));
    }

    @AfterAll
    void close() {
        server.ifPresent(Server::close);
        running.ifPresent(Server::close);
        browser.ifPresent(Browser::close);
    }

    private Browser browser() {
        return browser.orElseThrow();
    }

    private String at(String path) {
        return (path.equals("live") ? running : server).orElseThrow().link(path);
    }

    @Test
    void everyPageOpensAndIsReadableInLightAndDark() throws InterruptedException {
        browser().open(at(""));
        browser().requests(); // requests of the browser's own start page
        for (Page page : PAGES) {
            browser().size(1300, 900);
            browser().dark(false);
            browser().open(at(page.path));
            Browser.Light light = browser().light();
            assertThat(browser().drawn()).as(page.path).isEqualTo(page.charts);
            browser().dark(true);
            Browser.Light dark = browser().light();
            assertThat(browser().drawn()).as(page.path + ", dark").isEqualTo(page.charts);
            browser().size(390, 844);
            // charts adapt to the window size shortly after it has changed
            browser().until(b -> b.overflow() == 0);
            assertThat(light.background()).as(page.path).isGreaterThan(0.8);
            assertThat(dark.background()).as(page.path).isLessThan(0.1);
            assertThat(light.contrast()).as(page.path).isGreaterThan(7);
            assertThat(dark.contrast()).as(page.path).isGreaterThan(7);
        }
        browser().dark(false);
        browser().size(1300, 900);
        assertThat(browser().consoleErrors()).isEmpty();
        assertThat(browser().requests())
                .hasSizeGreaterThanOrEqualTo(PAGES.size())
                .allMatch(u -> URI.create(u).getHost().equals("127.0.0.1"));
    }

    @Tag("full") // every element of every page
    @Test
    void theTokenStaysInNoAddressAndTheLinksLeadOn() throws InterruptedException {
        browser().open(at("runs/day-03"));
        assertThat(browser().url()).doesNotContain("token=").endsWith("/runs/day-03");
        browser().click("a[href$='/runs/day-03']");
        browser().until(b -> b.url().endsWith("/api/runs/day-03"));
        browser().open(at("trend?plan=shop&figure=qps"));
        assertThat(browser().url()).doesNotContain("token=").endsWith("trend?plan=shop&figure=qps");
        browser().click(".mark a");
        browser().until(b -> b.text(".mark").startsWith("jdyno"));
        assertThat(browser().consoleErrors()).isEmpty();
    }

    @Test
    void tabKeyReachesEveryElementAndFocusIsVisible() {
        for (Page page : PAGES) {
            browser().open(at(page.path));
            Browser.Keyboard keys = browser().tabThrough();
            assertThat(keys.all()).as(page.path).isPositive();
            assertThat(keys.reached()).as(page.path).isEqualTo(keys.all());
            assertThat(keys.unseen()).as(page.path).isEmpty();
        }
    }

    @Test
    void twoTickedResultsLeadToTheirComparison() throws InterruptedException {
        browser().size(1300, 900);
        browser().open(at("runs?plan=shop"));
        browser().click("input[value=day-04]");
        browser().click("button[type=submit]:not(.filter button)");
        assertThat(browser().url()).as("one is not enough").contains("/runs?plan=shop");
        browser().click("input[value=day-09]");
        browser().until(b -> b.count("form.ready") == 1);
        browser().click("input[value=day-10]");
        browser().until(b -> b.count("form.ready") == 0);
        browser().click("input[value=day-10]");
        browser().click("button[type=submit]:not(.filter button)");
        browser().until(b -> b.url().endsWith("/compare?id=day-09&id=day-04"));
        assertThat(browser().text("header a[href='runs/day-04']")).isNotEmpty();
        assertThat(browser().consoleErrors()).isEmpty();
    }

    @Test
    void theFilterWorksByKeyboard() throws InterruptedException {
        browser().open(at(""));
        browser().type("input[name=q]", "day 7");
        browser().press(Keys.ENTER);
        browser().until(b -> b.url().contains("?q=day+7"));
        assertThat(browser().count("input[name=id]")).isEqualTo(1);
        assertThat(browser().count("svg.spark")).isEqualTo(1);
        assertThat(browser().consoleErrors()).isEmpty();
    }

    @Test
    void aClickOnTheTrendLeadsToTheResult() throws InterruptedException {
        browser().open(at("trend?plan=shop&figure=qps"));
        browser().click(".u-over");
        browser().until(b -> b.url().contains("/runs/day-"));
    }

    @Test
    void runningMeasurementUpdatesInEveryWindow() throws InterruptedException {
        browser().open(at("live"));
        String first = browser().openBeside(at("live"));
        live.phase("measuring with 8 in flight");
        live.progress(3, Optional.of(6.0), Optional.of(812.0));
        browser().until(b -> b.text("#qps").equals("812"));
        String second = browser().lookAt(first);
        browser().until(b -> b.text("#qps").equals("812"));
        live.progress(4, Optional.of(6.0), Optional.of(930.0));
        live.round(ResultFixture.e1().rounds().getFirst());
        browser().until(b -> b.text("#qps").equals("930") && b.count("#table tr") == 1);
        assertThat(browser().count("#plot circle")).isEqualTo(1);
        live.knee(7.5, new Interval(6.9, 8.2), 930);
        browser().until(b -> b.text("#knee").startsWith("7.50"));
        assertThat(browser().count("#plot [data-knee]")).isEqualTo(1);
        browser().lookAt(second);
        browser().until(b -> b.text("#qps").equals("930") && b.count("#table tr") == 1);
        assertThat(browser().consoleErrors()).isEmpty();
        browser().closeWindow(first);
    }
}
