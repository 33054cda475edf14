package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.SourceLine;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourceLinesTest {
    private static final String DUMP =
            """
            "http-1" #26 daemon prio=5 os_prio=0 cpu=1.31ms elapsed=3.22s tid=0x1 nid=0x2 waiting
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            \tat java.lang.Thread.sleep0(java.base@25.0.3/Native Method)
            \tat java.lang.Thread.sleep(java.base@25.0.3/Thread.java:509)
            \tat com.acme.Page.get(Page.java:12)
            \tat app//com.acme.Page$Inner.run(Page.java:40)
            \tat com.acme.Page$$Lambda/0x000000001.run(Unknown Source)
            \t- locked <0x1> (a java.lang.Object)
            "http-2" #27
            \tat com.acme.Page.get(Page.java:14)
            \tat com.acme.Page.get(Page.java:14)
            """;

    @Test
    void theMostFrequentLineOfEachMethodIsGiven() {
        var lines = new SourceLines();
        lines.addDump(DUMP);

        assertThat(lines.of(Set.of("com.acme.Page.get", "com.acme.Page$Inner.run", "x.y")))
                .containsExactly(
                        new SourceLine("com.acme.Page$Inner.run", Optional.of("Page.java"), 40, 1),
                        new SourceLine("com.acme.Page.get", Optional.of("Page.java"), 14, 2));
    }

    @Test
    void linesOfTheJdkAreLeftOut() {
        var lines = new SourceLines();
        lines.addDump(DUMP);

        assertThat(lines.of(Set.of("java.lang.Thread.sleep", "java.lang.Thread.sleep0"))).isEmpty();
    }

    @Test
    void aRecordingsLinesGetTheFileOfTheDumps() {
        var lines = new SourceLines();
        var recorded = new SourceLines();
        lines.addDump(DUMP);
        for (int i = 0; i < 5; i++) {
            recorded.add("com.acme.Page.put", 99);
        }
        recorded.add("com.other.Thing.go", 7);
        recorded.add("com.other.Thing.go", -1);
        lines.addAll(recorded);

        assertThat(lines.of(Set.of("com.acme.Page.put", "com.other.Thing.go")))
                .containsExactly(
                        new SourceLine("com.acme.Page.put", Optional.of("Page.java"), 99, 5),
                        new SourceLine("com.other.Thing.go", Optional.empty(), 7, 1));
    }
}
