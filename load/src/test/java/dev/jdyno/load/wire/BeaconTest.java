package dev.jdyno.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class BeaconTest {
    private final String name = "jdyno-test-" + UUID.randomUUID();

    @Test
    void onlyOneProcessHoldsNameAndOthersSeeIt() {
        assertThat(Beacon.holder(name)).isEmpty();

        try (Beacon _ = Beacon.light(name).orElseThrow()) {
            assertThat(Beacon.light(name)).isEmpty();
            assertThat(Beacon.holder(name)).contains(ProcessHandle.current().pid());
        }

        assertThat(Beacon.holder(name)).isEmpty();
    }

    @Test
    void beaconAnswersManyRequests() {
        try (Beacon _ = Beacon.light(name).orElseThrow()) {
            for (int i = 0; i < 200; i++) {
                assertThat(Beacon.holder(name)).isPresent();
            }
            assertThat(Beacon.light(name)).isEmpty();
        }
    }
}
