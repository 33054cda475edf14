package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Heap floors of short runs, in MiB by seconds, as real JVMs left them.
class GrowthFromStartTest {
    private static Optional<GcDiagnosis> leak(int maxMiB, double endS, String floors)
            throws IOException {
        StringBuilder log = new StringBuilder("[0.010s][info][gc] Using Serial\n");
        int id = 0;
        for (String floor : floors.split(" ")) {
            String[] at = floor.split(":");
            log.append(
                    String.format(
                            Locale.ROOT,
                            "[%.3fs][info][gc] GC(%d) Pause Full (Allocation Failure)"
                                    + " %dM->%sM(%dM) 50.0ms\n",
                            Double.parseDouble(at[0]),
                            id++,
                            maxMiB,
                            at[1],
                            maxMiB));
        }
        log.append(String.format(Locale.ROOT, "[%.3fs][info][gc,heap,exit] Heap\n", endS));
        var in = new ByteArrayInputStream(log.toString().getBytes(StandardCharsets.UTF_8));
        return Diagnoses.of(GcLog.read("test", in, GcLog.Options.DEFAULT), OptionalDouble.empty())
                .stream()
                .filter(d -> d.id().equals("leak"))
                .findFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "two floors, 512, 14.0, 10.9:321 12.5:363, full in about",
        "few floors and what has not yet been collected, 640, 13.1,"
                + " 0.2:42 0.7:15 1.4:78 4.9:185 11.6:387, full in about",
        "to the end, 512, 13.1, 0.6:57 1.4:74 2.0:89 4.0:146 5.7:182 7.2:215 8.5:245 9.7:269"
                + " 10.7:293 11.5:311 12.3:333 12.9:348, full in about",
        "until nothing more fits, 512, 19.9, 7.6:355 10.5:484 11.3:490 12.2:494 13.1:494 13.9:494"
                + " 14.8:494 16.5:494 18.2:494 19.9:494, until the heap was full",
        "until old is full, 383, 13.3, 9.5:261 10.4:288 10.9:301 11.1:307 11.3:311 11.7:311 12.3:311"
                + " 13.1:311 13.3:311, until the heap was full",
    })
    void steadyGrowthFromStartIsALeak(
            String what, int maxMiB, double endS, String floors, String says) throws IOException {
        GcDiagnosis leak = leak(maxMiB, endS, floors).orElseThrow();

        assertThat(leak.severity()).as(what).isEqualTo(GcDiagnosis.Severity.WARNING);
        assertThat(leak.says()).contains("at one pace from the start").contains(says);
        assertThat(leak.evidence().getFirst().lines()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "caches that fill ever more slowly, 320, 9.7,"
                + " 0.1:27 0.3:20 1.3:51 2.7:77 4.1:81 5.7:101 7.0:106 8.1:114 9.4:119",
        "a cache of random keys, 500, 15.1, 0.6:18 1.3:42 2.1:67 4.6:126 10.5:201 14.6:224",
        "a jump at the end, 480, 5.7, 0.4:80 0.6:99 0.8:113 1.2:112 1.7:127 2.2:119 2.7:119 3.3:115"
                + " 3.9:114 4.5:116 5.1:113 5.4:114 5.6:318",
        "a live set loaded at the start, 256, 9.0, 0.4:120 0.7:197 1.5:198 3.0:197 5.0:198 8.9:197",
        "one that levels off, 512, 20.0, 2.0:100 4.0:200 8.0:300 10.5:301 14.0:300 17.0:301 20.0:300",
        "little of the heap, 2048, 14.0, 10.9:321 12.5:363",
        "up and down, 512, 13.0, 2.0:80 4.0:160 6.0:240 8.0:150 10.0:300 12.0:360",
        "a log that begins late, 512, 14.0, 910.9:321 912.5:363",
        "one floor, 512, 14.0, 12.5:363",
    })
    void slowingGrowthIsNoLeak(String what, int maxMiB, double endS, String floors)
            throws IOException {
        assertThat(leak(maxMiB, endS, floors)).as(what).isEmpty();
    }

    @ParameterizedTest
    @CsvSource("512, 70.0, 54.5:321 62.5:363")
    void suggestsLongerLogForTrend(int maxMiB, double endS, String floors) throws IOException {
        assertThat(leak(maxMiB, endS, floors)).isEmpty();
    }
}
