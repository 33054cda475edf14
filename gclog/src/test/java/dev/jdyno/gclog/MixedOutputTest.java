package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A log keeps its counts and times if an application prints between its lines or a container
/// runtime adds prefixes. If bytes are lost, only the affected events are lost.
class MixedOutputTest {
    /// JDK 6–8 as HotSpot's sources print it: collections over several lines, output of a
    /// concurrent thread inside them, a scavenge inside a remark, and sizes after a pause.
    private static final String LEGACY =
            """
            1.000: [GC (Allocation Failure) 1.000: [ParNew
            Desired survivor size 39321600 bytes, new threshold 1 (max 6)
            - age   1:   51317512 bytes,   51317512 total
            : 617393K->53188K(691200K), 0.0076975 secs] 3487702K->2923643K(4531200K), 0.0078379 secs] [Times: user=0.04 sys=0.00, real=0.01 secs]
            2.000: [GC (CMS Initial Mark) [1 CMS-initial-mark: 702521K(786432K)] 938489K(1022400K), 0.0040000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]
            2.100: [CMS-concurrent-mark-start]
            3.000: [GC (CMS Final Remark) [YG occupancy: 63171 K (78656 K)]3.000: [GC (CMS Final Remark) 3.000: [ParNew: 63171K->8704K(78656K), 0.0200000 secs] 163171K->120000K(253440K), 0.0201000 secs] [Times: user=0.04 sys=0.01, real=0.02 secs]
            3.021: [Rescan (parallel) , 0.0010000 secs]3.022: [weak refs processing, 0.0000100 secs] [1 CMS-remark: 111296K(174784K)] 120000K(253440K), 0.0225000 secs] [Times: user=0.05 sys=0.01, real=0.02 secs]
            3.500: [CMS-concurrent-reset: 0.010/0.010 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]
            4.000: [Full GC 4.000: [CMS4.200: [CMS-concurrent-mark: 1.1/1.2 secs] [Times: user=2.22 sys=0.01, real=1.20 secs]
             (concurrent mode failure): 702521K->594052K(786432K), 4.9052810 secs] 938489K->594052K(1022400K), [CMS Perm : 22623K->22606K(37688K)], 4.9054799 secs] [Times: user=5.02 sys=0.00, real=4.91 secs]
            9.000: Total time for which application threads were stopped: 0.0010000 seconds, Stopping threads took: 0.0001000 seconds
            """;

    private static final List<String> OF_OTHERS =
            List.of(
                    "2024-03-01 10:00:00,123 INFO  [exec-3] c.e.MyService - Order (id=42) processed in 12.5 ms [ok]",
                    "Exception in thread \"main\" java.lang.IllegalStateException: boom",
                    "\tat com.example.Foo.bar(Foo.java:42) [classes/:na]",
                    "{\"ts\":1700000000.123,\"msg\":\"GC friendly cache\",\"took\":\"0.5 secs\"}",
                    "[main] INFO org.eclipse.jetty.server.Server - Started @1234ms",
                    "[12ms] done",
                    "[1.5s] ready",
                    "GC: my own garbage collector line 5K->3K(10K)",
                    "]] weird ] brackets ) here [ and here",
                    "999.234: [something else took 5.0 s]",
                    "WARN [pool-1] took 5432 ms, heap 12M->5M(20M)",
                    "    [Eden: not ours]",
                    "- age 3 is what the child is",
                    "Total time: 5.123 seconds",
                    "2024-03-01T10:00:00.123Z  INFO 1 --- [   main] c.e.App : Started in 3.21 seconds");

    private static Analysis read(String text) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)),
                GcLog.Options.DEFAULT);
    }

    private static String fixture(String name) throws IOException {
        try (InputStream in =
                new GZIPInputStream(
                        MixedOutputTest.class.getResourceAsStream("/gclog/" + name + ".log.gz"))) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    static Stream<Arguments> logs() throws IOException {
        return Stream.of(
                Arguments.of("JDK 8 CMS", LEGACY),
                Arguments.of("jdk11-concmarksweep", fixture("jdk11-concmarksweep")),
                Arguments.of("jdk17-shenandoah", fixture("jdk17-shenandoah")),
                Arguments.of("jdk25-g1", fixture("jdk25-g1")),
                Arguments.of("jdk25-z", fixture("jdk25-z")));
    }

    private static void sameAs(Analysis alone, Analysis mixed) {
        assertThat(mixed.events()).isEqualTo(alone.events());
        assertThat(mixed.pauses().total()).isCloseTo(alone.pauses().total(), within(1e-6));
        assertThat(mixed.spanS()).isCloseTo(alone.spanS(), within(1e-3));
        assertThat(mixed.restarts()).isEqualTo(alone.restarts());
        assertThat(mixed.collector()).isEqualTo(alone.collector());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("logs")
    void foreignLinesAnywhereChangeNothing(String name, String log) throws IOException {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        Analysis alone = read(log);

        StringBuilder mixed = new StringBuilder();
        for (String line : log.split("\n", -1)) {
            mixed.append(line).append('\n');
            for (int i = random.nextInt(3); i > 0; i--) {
                mixed.append(OF_OTHERS.get(random.nextInt(OF_OTHERS.size()))).append('\n');
            }
        }

        sameAs(alone, read(mixed.toString()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("logs")
    void linePrefixesOfRuntimeChangeNothing(String name, String log) throws IOException {
        Analysis alone = read(log);

        for (String front :
                List.of(
                        "2024-03-01T10:00:00.123456789Z stdout F ",
                        "Mar  1 10:00:00 host java[4242]: ",
                        "app_1  | ")) {
            sameAs(alone, read(log.replaceAll("(?m)^(?=.)", front)));
        }
    }

    @Test
    void truncatedCollectionHidesAtMostOneOtherCollection() throws IOException {
        String remark = "1.000: [GC (CMS Final Remark) [YG occupancy: 63171 K (78656 K)]\n";
        String young =
                "2.000: [GC 2.000: [ParNew: 63171K->8704K(78656K), 0.0200000 secs] 163171K->120000K(253440K), 0.0201000 secs]\n";

        Analysis a = read(remark + young.repeat(50));

        assertThat(a.count("young")).isEqualTo(50);
        assertThat(a.pauses().count()).isBetween(49L, 50L);
        assertThat(a.lines().broken()).isOne();
    }

    @Test
    void rejectsDurationMergedWithNextStamp() throws IOException {
        Analysis a =
                read(
                        """
                        10.000: [GC 63171K->8704K(78656K), 0.0200000 secs]
                        11.000: [GC 63171K->8704K(78656K), 012.000 secs]
                        12.500: [GC 63171K->8704K(78656K), 0.02000000212.500 secs]
                        13.000: [GC 63171K->8704K(78656K), 0.0200000 secs]
                        """);

        assertThat(a.pauses().total()).isCloseTo(40, within(1e-6));
        assertThat(a.lines().broken()).isEqualTo(2);
    }

    @Test
    void acceptsLongPauseThatNextStampAllows() throws IOException {
        Analysis a =
                read(
                        """
                        10.000: [GC 63171K->8704K(78656K), 0.0200000 secs]
                        11.000: [Full GC 63171K->8704K(78656K), 312.0000000 secs]
                        400.000: [GC 63171K->8704K(78656K), 0.0200000 secs]
                        """);

        assertThat(a.pauses().total()).isCloseTo(312_040, within(1e-6));
        assertThat(a.lines().unread()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("logs")
    void lostBytesLoseOnlyTheirOwnEvents(String name, String log) throws IOException {
        Map<String, Long> whole = new TreeMap<>(read(log).events());
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

        for (int run = 0; run < 20 && log.length() > 4000; run++) {
            int hole = random.nextInt(log.length() / 2, log.length() - 400);
            Map<String, Long> torn =
                    read(log.substring(0, hole) + log.substring(hole + 300)).events();

            whole.forEach((kind, count) ->
                    assertThat(torn.getOrDefault(kind, 0L))
                            .as("%s without 300 bytes at %d", kind, hole)
                            .isBetween(count - 4, count + 1));
        }
    }

    @Test
    void aCycleThatSystemGcAskedForIsReadWithItsCause() throws IOException {
        Analysis a =
                read(
                        """
                        [1.000s][info][gc] GC(18) Major Collection (System.gc())
                        [1.048s][info][gc] GC(18) Major Collection (System.gc()) 18M(19%)->12M(12%) 0.048s
                        """);

        assertThat(a.count("major")).isOne();
        assertThat(a.lines().unread()).isZero();
    }
}
