package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private final List<Integer> taken = new ArrayList<>();

    private Runnable failing(int step, Throwable why) {
        return () -> {
            taken.add(step);
            ClosingTest.<RuntimeException>raise(why);
        };
    }

    @SuppressWarnings("unchecked") // throws errors and exceptions alike
    private static <T extends Throwable> void raise(Throwable why) throws T {
        throw (T) why;
    }

    @Test
    void runsEveryStepAndAttachesLaterFailuresToFirst() {
        var first = new IllegalStateException("first");
        var second = new OutOfMemoryError("second");

        Optional<Throwable> failure =
                Closing.all(
                        List.of(
                                () -> taken.add(1),
                                failing(2, first),
                                failing(3, second),
                                () -> taken.add(4)));

        assertThat(taken).containsExactly(1, 2, 3, 4);
        assertThat(failure).containsSame(first);
        assertThat(first.getSuppressed()).containsExactly(second);
    }

    @Test
    void allEndedMeansNoFailure() {
        assertThat(Closing.all(List.of(() -> taken.add(1)))).isEmpty();
        assertThat(taken).containsExactly(1);
    }
}
