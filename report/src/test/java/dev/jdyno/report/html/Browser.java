package dev.jdyno.report.html;

import dev.jdyno.measure.Eventually;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A Chromium that opens pages as a reader does.
public final class Browser implements AutoCloseable {
    /// Minimum number of pixels in a chart's colours on a drawn page.
    private static final int MIN_PIXELS = 50;

    /// Maximum time until the driver answers. Selenium's own 20 s is too short for a busy machine.
    private static final Duration START = Duration.ofMinutes(2);

    /// Maximum height of a screenshot in Chromium, in pixels.
    private static final int MAX_PIXELS = 16_000;

    /// Number of pixels of each canvas that are neither blank nor grey. Axes and grid are grey.
    private static final String COLOURED =
            """
            return [...document.querySelectorAll("canvas")].map((c) => {
              const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
              let n = 0;
              for (let i = 0; i < d.length; i += 4) {
                const rgb = [d[i], d[i + 1], d[i + 2]];
                if (d[i + 3] > 128 && Math.max(...rgb) - Math.min(...rgb) > 40) n++;
              }
              return n;
            });
            """;

    private static final String CONTROLS =
            """
            return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
              .filter((e) => e.checkVisibility() && e.tabIndex >= 0).length;
            """;

    /// The element that has the focus, and whether its focus is visible.
    private static final String FOCUS =
            """
            const e = document.activeElement, s = getComputedStyle(e);
            if (e === document.body) return null;
            window.seen = window.seen || new Set();
            window.seen.add(e);
            return [window.seen.size, s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0, e.outerHTML.slice(0, 80)];
            """;

    /// WCAG 2 contrast between the text of the page and its background.
    private static final String CONTRAST =
            """
            const s = getComputedStyle(document.body);
            const light = (c) => {
              const v = c.match(/[\\d.]+/g).slice(0, 3).map((x) => x / 255)
                .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
              return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
            };
            const a = light(s.color), b = light(s.backgroundColor);
            return [b, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
            """;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /// @param profile an empty folder
    /// @return empty if Chromium or its driver is not on the PATH
    public static Optional<Browser> start(Path profile) {
        Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Optional<Path> driver = onPath("chromedriver");
        if (chromium.isEmpty() || driver.isEmpty()) {
            return Optional.empty();
        }
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        var options = new ChromeOptions();
        options.setBinary(chromium.get().toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--user-data-dir=" + profile);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.get().toFile())
                        .withTimeout(START)
                        .build();
        return Optional.of(new Browser(new ChromeDriver(service, options)));
    }

    private static Optional<Path> onPath(String... names) {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(d -> Stream.of(names).map(Path.of(d)::resolve))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public void open(String url) {
        driver.get(url);
    }

    /// Opens a page in its own window, which is the current one from then on.
    ///
    /// @return the window that was the current one before
    public String openBeside(String url) {
        String before = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        driver.get(url);
        return before;
    }

    /// Makes a window the current one.
    ///
    /// @return the window that was the current one before
    public String lookAt(String window) {
        String before = driver.getWindowHandle();
        driver.switchTo().window(window);
        return before;
    }

    public void closeWindow(String back) {
        driver.close();
        driver.switchTo().window(back);
    }

    public String url() {
        return Objects.requireNonNull(driver.getCurrentUrl());
    }

    public Object run(String script) {
        return Objects.requireNonNull(driver.executeScript(script), script);
    }

    /// The text of an element.
    public String text(String selector) {
        return driver.findElement(By.cssSelector(selector)).getText();
    }

    public int count(String selector) {
        return driver.findElements(By.cssSelector(selector)).size();
    }

    /// Waits until the condition is true, and fails if it never is.
    public void until(Predicate<Browser> so) {
        Eventually.until(() -> "what should be at " + url(), () -> so.test(this));
    }

    /// Clicks on the middle of an element.
    public void click(String selector) {
        new Actions(driver)
                .moveToElement(driver.findElement(By.cssSelector(selector)))
                .click()
                .perform();
    }

    public void type(String selector, String text) {
        driver.findElement(By.cssSelector(selector)).sendKeys(text);
    }

    /// Sends keys to the focused element, one after another.
    public void press(Keys... keys) {
        var actions = new Actions(driver);
        for (Keys key : keys) {
            actions = actions.sendKeys(key);
        }
        actions.perform();
    }

    /// Number of charts with drawn figures.
    public long drawn() {
        return ((List<?>) run(COLOURED))
                .stream().filter(n -> ((Number) n).longValue() >= MIN_PIXELS).count();
    }

    /// The texts that are visible by the browser's layout. Needs no script on the page.
    public List<String> shown() {
        return named("/documents/0/layout/text");
    }

    /// Number of elements with a name such as `CANVAS`. Needs no script on the page.
    public long elements(String name) {
        return named("/documents/0/nodes/nodeName").stream().filter(name::equals).count();
    }

    /// The names at a place of the browser's snapshot, which refers to them by numbers.
    private List<String> named(String place) {
        Map<?, ?> snapshot =
                driver.executeCdpCommand(
                        "DOMSnapshot.captureSnapshot", Map.of("computedStyles", List.of()));
        JsonNode seen = JsonMapper.shared().valueToTree(snapshot);
        return StreamSupport.stream(seen.at(place).spliterator(), false)
                .map(JsonNode::asInt)
                .filter(i -> i >= 0)
                .map(i -> seen.get("strings").get(i).asString())
                .toList();
    }

    /// Number of pixels of a colour on the whole page, also below the window. Needs no script on
    /// the page.
    ///
    /// @param colour such as `#0a6ebd`
    public long pixels(String colour) throws IOException {
        JsonNode size =
                JsonMapper.shared()
                        .<JsonNode>valueToTree(
                                driver.executeCdpCommand("Page.getLayoutMetrics", Map.of()))
                        .get("cssContentSize");
        Map<String, Object> shot =
                driver.executeCdpCommand(
                        "Page.captureScreenshot",
                        Map.of(
                                "captureBeyondViewport",
                                true,
                                "clip",
                                Map.of(
                                        "x",
                                        0,
                                        "y",
                                        0,
                                        "width",
                                        size.get("width").asInt(),
                                        "height",
                                        Math.min(MAX_PIXELS, size.get("height").asInt()),
                                        "scale",
                                        1)));
        byte[] png = Base64.getDecoder().decode(String.valueOf(shot.get("data")));
        BufferedImage page = ImageIO.read(new ByteArrayInputStream(png));
        int wanted = Integer.parseInt(colour.substring(1), 16);
        return IntStream.range(0, page.getHeight())
                .mapToLong(y ->
                        IntStream.range(0, page.getWidth())
                                .filter(x -> (page.getRGB(x, y) & 0xffffff) == wanted)
                                .count())
                .sum();
    }

    public void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    public void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of(
                                        "name",
                                        "prefers-color-scheme",
                                        "value",
                                        dark ? "dark" : "light"))));
    }

    /// Number of pixels by which the page is wider than its window.
    public long overflow() {
        return ((Number)
                        run(
                                "return document.documentElement.scrollWidth -"
                                        + " document.documentElement.clientWidth"))
                .longValue();
    }

    /// @param background luminance of the background, 0 to 1
    /// @param contrast contrast of text on it
    public record Light(double background, double contrast) {}

    public Light light() {
        List<?> seen = (List<?>) run(CONTRAST);
        return new Light(
                ((Number) seen.getFirst()).doubleValue(), ((Number) seen.get(1)).doubleValue());
    }

    /// @param all number of focusable elements of the page
    /// @param reached number of those that the tab key reaches
    /// @param unseen those without a visible focus
    public record Keyboard(long all, long reached, List<String> unseen) {}

    /// Presses the tab key until the focus leaves the page.
    public Keyboard tabThrough() {
        long all = ((Number) run(CONTROLS)).longValue();
        long reached = 0;
        var unseen = new ArrayList<String>();
        for (long i = 0; i < all; i++) {
            new Actions(driver).sendKeys(Keys.TAB).perform();
            if (driver.executeScript(FOCUS) instanceof List<?> focus) {
                reached = ((Number) focus.getFirst()).longValue();
                if (!focus.get(1).equals(true)) {
                    unseen.add(String.valueOf(focus.get(2)));
                }
            }
        }
        return new Keyboard(all, reached, List.copyOf(unseen));
    }

    /// Errors on the console since the last call. If a test often reads the pixels of a chart, the
    /// console also has a warning.
    public List<String> consoleErrors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(e -> e.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(Object::toString)
                .toList();
    }

    /// URLs that pages requested since the last call, without data URLs and the browser's own ones.
    public List<String> requests() {
        return StreamSupport.stream(
                        driver.manage().logs().get(LogType.PERFORMANCE).spliterator(), false)
                .map(e -> JsonMapper.shared().readTree(e.getMessage()).get("message"))
                .filter(m -> m.get("method").asString().equals("Network.requestWillBeSent"))
                .map(m -> m.at("/params/request/url"))
                .map(JsonNode::asString)
                .filter(u -> !u.startsWith("data:") && !u.startsWith("chrome:"))
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
