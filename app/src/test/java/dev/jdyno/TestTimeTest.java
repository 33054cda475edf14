package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No test of any module fails because the machine is slow. This test checks the text of the test
/// sources.
class TestTimeTest {
    /// Beginning of the comment in the line above each sleep. The reason follows it.
    private static final String REASON = "// sleeps: ";

    /// Minimum time limit of a wait. A shorter limit would bound elapsed time, a longer one only
    /// ends a test that hangs.
    private static final int MIN_LIMIT_SECONDS = 60;

    /// Parts of a source that are no code: text blocks, strings and comments.
    private static final Pattern TEXT =
            Pattern.compile(
                    "\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|//[^\\n]*", Pattern.DOTALL);

    private static final Pattern SLEEP =
            Pattern.compile("\\b(?:Thread\\.sleep|parkNanos|[A-Z]*SECONDS\\s*\\.sleep)\\(");
    private static final Pattern LIMIT =
            Pattern.compile(
                    "\\b(?:await|waitFor|get|poll|awaitTermination|tryAcquire|orTimeout)\\(\\s*([\\d_]+),\\s*(?:TimeUnit\\.)?((?:MILLI)?SECONDS)\\)"
                            + "|@Timeout\\((?:value = )?([\\d_]+)(?!\\d)(?!, unit = TimeUnit\\.MINUTES)");
    private static final Pattern ELAPSED =
            Pattern.compile(
                    "assertThat\\([^;]*(?:secondsSince|nanoTime|currentTimeMillis|Instant\\.now|Duration\\.between)[^;]*"
                            + "\\.is(?:LessThan|LessThanOrEqualTo|Between|CloseTo|Before|BeforeOrEqualTo)\\(");
    private static final Pattern TAG = Pattern.compile("@Tag\\((.*)");
    private static final Pattern FULL = Pattern.compile("\"full\"\\) // \\S.*");

    @Test
    void everySleepHasAReason() throws IOException {
        assertThat(found(TestTimeTest::sleepsWithoutReason)).isEmpty();
    }

    @Test
    void testsBoundNoElapsedTime() throws IOException {
        assertThat(found(TestTimeTest::boundsOfElapsedTime)).isEmpty();
    }

    @Test
    void deadlinesOnlyEndHangingTests() throws IOException {
        assertThat(found(TestTimeTest::shortLimits)).isEmpty();
    }

    @Test
    void everyTestOfFullSetHasAReason() throws IOException {
        assertThat(found(TestTimeTest::tagsWithoutReason)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(20);",
                "LockSupport.parkNanos(5_000_000);",
                "TimeUnit.SECONDS.sleep(1);",
                "java.util.concurrent.TimeUnit.MILLISECONDS.sleep(500);",
                "NANOSECONDS.sleep(5);",
                "TimeUnit.MILLISECONDS\n    .sleep(500);",
                "// why\nThread.sleep(20); // because"
            })
    void aSleepIsFound(String source) {
        assertThat(sleepsWithoutReason(source)).hasSize(1);
        assertThat(
                        sleepsWithoutReason(
                                "// sleeps: a page that takes so long\n" + "Thread.sleep(20);"))
                .isEmpty();
        assertThat(sleepsWithoutReason("String s = \"Thread.sleep(20)\"; /// `Thread.sleep(2)`"))
                .isEmpty();
        assertThat(sleepsWithoutReason("var s = \"\"\"\n  at Thread.sleep(20)\n\"\"\";")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assertThat(NanoClock.SYSTEM.secondsSince(start)).isLessThan(20);",
                "assertThat(clock.secondsSince(start))\n    .as(\"seconds\")\n    .isLessThan(20);",
                "assertThat(System.nanoTime() - start).isBetween(1L, 2L);",
                "assertThat(Duration.between(a, b)).isLessThanOrEqualTo(LIMIT);"
            })
    void aBoundOfElapsedTimeIsFound(String source) {
        assertThat(boundsOfElapsedTime(source)).hasSize(1);
        assertThat(
                        boundsOfElapsedTime(
                                "long x = clock.secondsSince(s); assertThat(n).isLessThan(2);"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "p.waitFor(20, TimeUnit.SECONDS)",
                "latch.await(10, TimeUnit.SECONDS)",
                "future.get(500, MILLISECONDS)",
                "@Timeout(10)",
                "@Timeout(value = 30, unit = TimeUnit.SECONDS)"
            })
    void aShortLimitIsFound(String source) {
        assertThat(shortLimits(source)).hasSize(1);
        assertThat(shortLimits("p.waitFor(5, TimeUnit.MINUTES); @Timeout(300)")).isEmpty();
        assertThat(shortLimits("@Timeout(value = 12, unit = TimeUnit.MINUTES)")).isEmpty();
    }

    @Test
    void aTagWithoutReasonIsFound() {
        assertThat(tagsWithoutReason("@Tag(\"full\")\nclass A {}")).hasSize(1);
        assertThat(tagsWithoutReason("@Tag(\"slow\") // whole runs\nclass A {}")).hasSize(1);
        assertThat(tagsWithoutReason("@Tag(\"full\") // whole runs\nclass A {}")).isEmpty();
    }

    private static List<String> sleepsWithoutReason(String source) {
        List<String> lines = source.lines().toList();
        String code = TEXT.matcher(source).replaceAll(m -> m.group().replaceAll("[^\n]", "-"));
        return SLEEP.matcher(code)
                .results()
                .map(m -> line(code, m.start()))
                .filter(at -> at == 0 || !lines.get(at - 1).strip().startsWith(REASON))
                .map(lines::get)
                .toList();
    }

    private static int line(String text, int at) {
        return (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }

    private static List<String> boundsOfElapsedTime(String source) {
        return matches(ELAPSED, source);
    }

    private static List<String> shortLimits(String source) {
        List<String> all = new ArrayList<>();
        Matcher m = LIMIT.matcher(source);
        while (m.find()) {
            String number = m.group(1) != null ? m.group(1) : m.group(3);
            int per = "MILLISECONDS".equals(m.group(2)) ? 1000 : 1;
            if (Integer.parseInt(number.replace("_", "")) < MIN_LIMIT_SECONDS * per) {
                all.add(m.group());
            }
        }
        return all;
    }

    private static List<String> tagsWithoutReason(String source) {
        return TAG.matcher(source)
                .results()
                .filter(m -> !FULL.matcher(m.group(1)).matches())
                .map(m -> m.group())
                .toList();
    }

    private static List<String> matches(Pattern pattern, String source) {
        return pattern.matcher(source).results().map(m -> m.group()).toList();
    }

    private interface Search {
        List<String> in(String source);
    }

    private static List<String> found(Search search) throws IOException {
        List<String> all = new ArrayList<>();
        for (String module : Modules.all()) {
            Path tests = Path.of("..", module, "src", "test", "java");
            if (!Files.isDirectory(tests)) {
                continue;
            }
            try (var files = Files.walk(tests)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    if (!file.endsWith("TestTimeTest.java")) {
                        search.in(Files.readString(file))
                                .forEach(f -> all.add(file + ": " + f.strip()));
                    }
                }
            }
        }
        return all;
    }
}
