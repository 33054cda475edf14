package dev.jdyno.load.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
    /// Compares the ring buffer with a deque over random additions and removals, in which the ring
    /// wraps around, grows and fills up.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesAsABoundedQueue(long seed) {
        int max = 2000;
        var random = new SplittableRandom(seed);
        var backlog = new Backlog(max);
        var model = new ArrayDeque<Long>();
        for (long i = 0; i < 20_000; i++) {
            boolean growing = i / 4000 % 2 == 0;
            if (random.nextInt(10) < (growing ? 8 : 3)) {
                boolean room = model.size() < max;
                assertThat(backlog.add(i, -i)).isEqualTo(room);
                if (room) {
                    model.add(i);
                }
            } else if (!model.isEmpty()) {
                assertThat(backlog.oldest()).isEqualTo(model.peek());
                assertThat(backlog.oldestNumber()).isEqualTo(-backlog.oldest());
                assertThat(backlog.poll()).isEqualTo(model.poll());
            }
            assertThat(backlog.size()).isEqualTo(model.size());
            assertThat(backlog.isEmpty()).isEqualTo(model.isEmpty());
        }
    }
}
