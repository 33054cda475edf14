package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.GcActivity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationTest {
    private static final Insight.Allocation HALF =
            new Insight.Allocation(20, "byte[]", "com.acme.Page.get", 90, 0.5, 7_000);

    private static Round round(int concurrency, Optional<Double> requestBytes) {
        return RoundFixture.round(concurrency, 100)
                .gc(
                        new GcActivity(
                                GcActivity.Count.NONE,
                                GcActivity.Count.NONE,
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                requestBytes,
                                Optional.empty(),
                                Optional.empty()))
                .build();
    }

    @Test
    void bytesOfAPlaceAreItsSampleShareOfTheCountedBytes() {
        List<Round> rounds = List.of(round(5, Optional.of(900.0)), round(20, Optional.of(800.0)));

        assertThat(HALF.bytes(rounds)).isEqualTo(400);
        assertThat(HALF.counted(rounds)).contains(800.0);
    }

    @Test
    void bytesOfAPlaceComeFromSamplesWithoutCounters() {
        List<Round> rounds = List.of(round(5, Optional.of(900.0)), round(20, Optional.empty()));

        assertThat(HALF.bytes(rounds)).isEqualTo(7_000);
        assertThat(HALF.counted(rounds)).isEmpty();
        assertThat(HALF.bytes(List.of(round(20, Optional.of(0.0))))).isEqualTo(7_000);
    }
}
