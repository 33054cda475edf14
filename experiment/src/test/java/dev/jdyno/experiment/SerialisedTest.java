package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.experiment.Serialised.Cost;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialisedTest {
    private static boolean holds(double protobufMs) {
        return Serialised.judged(
                        List.of(
                                new Cost("java", 200_000, 80_000_000, 500, 1500, 900_000_000),
                                new Cost("java_stream", 200_000, 30_000_000, 200, 300, 1),
                                new Cost("protobuf", 200_000, 15_000_000, 100, protobufMs, 1),
                                new Cost("kryo", 200_000, 14_000_000, 100, 200, 1),
                                new Cost("fory", 200_000, 18_000_000, 50, 100, 1)),
                        Serialised.WHOLE)
                .holds();
    }

    @Test
    void experimentHoldsIfAThirdOfTheCpuIsSaved() {
        assertThat(holds(1200)).isTrue();
        assertThat(holds(1300)).isFalse();
    }

    @Test
    void readsOutputOfLab() {
        assertThat(
                        Cost.parse(
                                "{\"form\":\"java\",\"users\":2,\"bytes\":9,\"encodeCpuMs\":1.5,"
                                        + "\"decodeCpuMs\":2.5,\"allocatedBytes\":7}"))
                .isEqualTo(new Cost("java", 2, 9, 1.5, 2.5, 7));
        assertThatThrownBy(() -> Cost.parse("Exception in thread")).isInstanceOf(UserError.class);
    }
}
