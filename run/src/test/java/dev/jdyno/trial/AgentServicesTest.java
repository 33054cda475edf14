package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentServicesTest {
    private static Warning lost(int windows) {
        return new Warning("observer-lost", windows + " windows", false);
    }

    @Test
    void lastWarningOfEachKindAndCommandIsKept() {
        var doubts = new AgentServices.Doubts();
        doubts.add("a", List.of(lost(1)));
        doubts.add("b", List.of(lost(2)));
        doubts.add("a", List.of(lost(30), new Warning("clock-offset", "6 ms", false)));
        doubts.add("b", List.of());

        assertThat(doubts.list())
                .containsExactlyInAnyOrder(
                        "launch:a: 30 windows", "launch:a: 6 ms", "launch:b: 2 windows");
    }
}
