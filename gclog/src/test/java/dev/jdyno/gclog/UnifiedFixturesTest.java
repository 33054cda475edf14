package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.sums.Analysis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Logs of real JVMs. The reader's result must equal that of a simple reference reader with a few
/// regular expressions.
class UnifiedFixturesTest {
    private static final Path FIXTURES = Path.of("src/test/resources/gclog");

    /// The last line of a pause, with its duration at the end. ZGC's statistics rows do not match.
    private static final Pattern PAUSE =
            Pattern.compile("GC\\((\\d+)\\) (?:[YyOo]: )?Pause .*?(?:([0-9]+\\.[0-9]+)ms)?$");

    private static final Pattern SAFEPOINT =
            Pattern.compile("(?:Total: (\\d+) ns|were stopped: ([0-9.]+) seconds)");
    private static final Pattern CYCLE =
            Pattern.compile(
                    "GC\\(\\d+\\) (?:(?:Major|Minor|Garbage) Collection \\(.*%\\)"
                            + "|Concurrent (?:Mark )?Cycle [0-9.]+ms|Concurrent Reset [0-9.]+ms|Concurrent reset( \\(.*\\))? "
                            + "[0-9.]+ms)");

    static Stream<String> logs() throws IOException {
        try (Stream<Path> files = Files.list(FIXTURES)) {
            return files
                    .map(f -> f.getFileName().toString())
                    .filter(n -> n.endsWith(".log.gz"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void everyLineOfARealLogIsUnderstood(String name) {
        Analysis a = read(name);

        assertThat(a.lines().firstUnread()).isEmpty();
        assertThat(a.lines().unread()).isZero();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void pausesAndCyclesMatchThoseOfANaiveReader(String name) throws IOException {
        // a young collection of Serial may become a full one inside its own pause
        Deque<String> open = new ArrayDeque<>();
        long pauses = 0;
        double totalMs = 0;
        double maxMs = 0;
        long cycles = 0;
        long full = 0;
        for (String line : lines(name)) {
            Matcher m = PAUSE.matcher(line);
            if (m.find() && m.group(2) == null) {
                open.push(m.group(1));
            } else if (m.find(0)) {
                boolean inside = open.contains(m.group(1)) && open.size() > 1;
                open.remove(m.group(1));
                full += line.contains("Pause Full") ? 1 : 0;
                if (!inside) {
                    double ms = Double.parseDouble(m.group(2));
                    pauses++;
                    totalMs += ms;
                    maxMs = Math.max(maxMs, ms);
                }
            }
            cycles += CYCLE.matcher(line).find() ? 1 : 0;
        }

        Analysis a = read(name);

        assertThat(a.pauses().count()).isEqualTo(pauses);
        assertThat(a.pauses().total()).isCloseTo(totalMs, within(1e-6));
        assertThat(a.pauses().max()).isEqualTo(maxMs);
        assertThat(a.count("full")).isEqualTo(full);
        assertThat(a.count("concurrent")).isEqualTo(cycles);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void figuresOfRealLogsArePlausible(String name) {
        Analysis a = read(name);

        assertThat(a.spanS()).isBetween(0.5, 4.0);
        assertThat(a.throughputPct().orElseThrow()).isBetween(0.0, 100.0);
        a.stopped().worst().forEach(w -> assertThat(w.stoppedPct()).isBetween(0.0, 100.0));
        if (!name.contains("epsilon")) {
            // the program allocates 250 MB/s and keeps 20 MB
            assertThat(a.allocBytesPerS().orElseThrow() / 1e6).isBetween(100.0, 450.0);
            assertThat(a.heap().liveBytes().orElseThrow() / 1e6).isBetween(8.0, 60.0);
            // JDK 11 logs no maximum, and its capacity excludes one survivor space
            assertThat(a.heap().maxBytes().orElseThrow())
                    .isBetween(
                            (name.startsWith("jdk11") ? 60.0 : 64.0) * (1 << 20), 64.0 * (1 << 20));
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void stoppedBudgetIsSumOfSafepointLines(String name) throws IOException {
        double safepointsMs = 0;
        for (String line : lines(name)) {
            Matcher m = SAFEPOINT.matcher(line);
            if (m.find()) {
                safepointsMs +=
                        m.group(1) != null
                                ? Double.parseDouble(m.group(1)) / 1e6
                                : Double.parseDouble(m.group(2)) * 1e3;
            }
        }

        Analysis.Stopped stopped = read(name).stopped();

        if (safepointsMs > 0) {
            // the log may show a safepoint slightly shorter than the pause inside it
            assertThat(stopped.gcMs() + stopped.otherMs())
                    .isCloseTo(safepointsMs, within(0.02 * safepointsMs + 1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdk11-concmarksweep, CMS, false, 11",
        "jdk11-serial, Serial, false, 11",
        "jdk17-g1, G1, false, 17",
        "jdk17-parallel, Parallel, false, 17",
        "jdk17-shenandoah, Shenandoah, false, 17",
        "jdk17-z, ZGC, false, 17",
        "jdk21-z, ZGC, false, 21",
        "jdk21-zgenerational, ZGC, true, 21",
        "jdk25-z, ZGC, true, 25",
        "jdk25-shenandoah, Shenandoah, false, 25",
        "jdk25-shenandoahgenerational, Shenandoah, true, 25",
        "jdk25-epsilon, Epsilon, false, 25",
    })
    void readsCollectorAndJdk(String name, String collector, boolean generational, int jdk) {
        Analysis a = read(name + ".log.gz");

        assertThat(a.collector().key()).isEqualTo(collector);
        assertThat(a.generational()).isEqualTo(generational);
        if (jdk >= 16) {
            assertThat(a.setup().feature()).hasValue(jdk);
        }
    }

    private static Analysis read(String name) {
        return GcLog.read(List.of(FIXTURES.resolve(name)), GcLog.Options.DEFAULT);
    }

    private static List<String> lines(String name) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(FIXTURES.resolve(name)));
                var reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
