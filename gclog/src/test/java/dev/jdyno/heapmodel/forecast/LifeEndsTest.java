package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.heapmodel.simulation.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifeEndsTest {
    private record Expected(Life life, double atBytes) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3})
    void everyLifeEndsAtItsPoint(int seed) {
        var random = new Random(seed);
        double slice = 1000 / 3.0;
        double last = 200 * slice;
        var ends = new LifeEnds(slice, last);
        List<Expected> lives = new ArrayList<>();
        for (double reached = 0; reached < last; reached += slice) {
            for (int i = 0; i < 5; i++) {
                // some lives end exactly at the end of a slice
                double life = i == 0 ? 12 * slice : random.nextDouble() * 40 * slice;
                var e = new Expected(Life.begin(), reached + life);
                lives.add(e);
                ends.add(e.life(), e.atBytes());
            }
            ends.reach(reached);
            for (Expected e : lives) {
                assertThat(e.life().alive()).isEqualTo(e.atBytes() > reached);
            }
        }
    }

    @Test
    void objectThatOutlivesRunLivesToItsEnd() {
        var ends = new LifeEnds(10, 100);
        Life life = Life.begin();
        ends.add(life, 1e12);

        ends.reach(100);

        assertThat(life.alive()).isTrue();
    }
}
