package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    @Test
    void roundsOfALeakingServiceAreSaidNotToBeComparable() {
        List<String> notes = List.of("throughput falls from concurrency 8 on");

        assertThat(Judgement.notes(Bottleneck.GC_LEAK, notes))
                .hasSize(2)
                .endsWith(notes.getFirst())
                .first()
                .asString()
                .contains("cannot be compared");
        assertThat(Judgement.notes(Bottleneck.GC_LIVE_SET, notes)).isEqualTo(notes);
    }
}
