package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DumpTextTest {
    private static final String DUMP =
            """
            2026-11-29 17:34:37
            Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

            "main" #3 [25539] prio=5 os_prio=0 cpu=42.08ms elapsed=2.51s tid=0x00007faf2802a910 nid=25539 waiting on condition  [0x00007faf2f3fe000]
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            	at java.lang.Thread.sleepNanos0(java.base@25.0.3/Native Method)

            "GC Thread#0" os_prio=0 cpu=1.28ms elapsed=2.50s tid=0x00007faf28001111 nid=0x63c4 runnable

            JNI global refs: 31, weak refs: 0

            """;

    private static List<DumpText.Found> found(String text) {
        List<DumpText.Found> found = new ArrayList<>();
        var dumps = new DumpText(found::add);
        text.lines().forEach(dumps::line);
        dumps.finish();
        return found;
    }

    @Test
    void textWithoutADumpGivesNoDump() {
        assertThat(found("2026-11-29 17:34:37\nGET / 200\n\"quoted\"\n")).isEmpty();
        assertThat(found("")).isEmpty();
    }

    @Test
    void findsDumpsInLogWithTimesAndLines() {
        String log =
                "17:34:30 INFO started\n"
                        + DUMP
                        + "Heap\n garbage-first heap\n17:34:40 INFO goes on\n"
                        + DUMP.replace("17:34:37", "17:34:47")
                        + "17:35:00 INFO ended\n";

        List<DumpText.Found> dumps = found(log);

        assertThat(dumps)
                .extracting(d -> d.at().orElseThrow())
                .containsExactly(
                        LocalDateTime.of(2026, 11, 29, 17, 34, 37),
                        LocalDateTime.of(2026, 11, 29, 17, 34, 47));
        assertThat(dumps.getFirst().line()).isEqualTo(3);
        assertThat(dumps.getFirst().jvm()).contains("OpenJDK 64-Bit Server VM");
        assertThat(dumps.getFirst().version()).contains("25.0.3+9-LTS");
        assertThat(dumps)
                .allSatisfy(d ->
                        assertThat(ThreadDump.parse(d.text()).threads())
                                .extracting(ThreadDump.JavaThread::name)
                                .containsExactly("main"));
    }

    @Test
    void dumpWithoutATimeStampHasNoTime() {
        List<DumpText.Found> dumps = found(DUMP.substring(DUMP.indexOf("Full")));

        assertThat(dumps).hasSize(1);
        assertThat(dumps.getFirst().at()).isEmpty();
    }

    @Test
    void cpuOfThreadsIsDifferenceOfTwoDumps() {
        ThreadTimes first = ThreadTimes.parse(DUMP);
        ThreadTimes later =
                ThreadTimes.parse(
                        DUMP.replace("cpu=42.08ms elapsed=2.51s", "cpu=5042.08ms elapsed=12.51s")
                                .replace(
                                        "cpu=1.28ms elapsed=2.50s",
                                        "cpu=1001.28ms elapsed=12.50s"));

        assertThat(first.byTid().keySet()).containsExactlyInAnyOrder(25539L, 0x63c4L);
        assertThat(first.secondsTo(later)).isCloseTo(10, within(0.01));
        assertThat(first.coresTo(later).get(25539L)).isCloseTo(0.5, within(0.001));
        assertThat(first.coresTo(later).get(0x63c4L)).isCloseTo(0.1, within(0.001));
    }

    @Test
    void dumpsWithoutTimesGiveNoCpu() {
        ThreadTimes none = ThreadTimes.parse(DUMP.replaceAll(" cpu=\\S+ elapsed=\\S+", ""));

        assertThat(none.byTid()).isEmpty();
        assertThat(none.coresTo(none)).isEmpty();
    }
}
