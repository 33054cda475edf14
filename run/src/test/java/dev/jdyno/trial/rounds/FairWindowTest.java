package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Disturbance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FairWindowTest {
    private enum Stop {
        NEVER,
        IN_FIRST,
        WHILE_WAITING,
        IN_SECOND
    }

    private final List<String> done = new ArrayList<>();

    /// @param taken cores that other processes used in each window; 0 in the round
    private String chosen(Stop when, double... taken) throws InterruptedException {
        done.clear();
        return FairWindow.of(
                        new FairWindow.Taking<String>() {
                            private boolean stopped;
                            private int windows;

                            @Override
                            public FairWindow.Taken<String> take() {
                                double cores = taken[windows++];
                                stopped |= when == (windows == 1 ? Stop.IN_FIRST : Stop.IN_SECOND);
                                done.add("window");
                                return new FairWindow.Taken<>(
                                        "window " + windows, !stopped, by(cores));
                            }

                            @Override
                            public void calmDown(Disturbance by) {
                                done.add("wait");
                                stopped |= when == Stop.WHILE_WAITING;
                            }

                            @Override
                            public boolean stopped() {
                                return stopped;
                            }
                        })
                .window();
    }

    private static Optional<Disturbance> by(double cores) {
        return Optional.of(cores)
                .filter(c -> c > 0)
                .map(c -> new Disturbance(c, 0, 0, 0, List.of(), false));
    }

    @Test
    void takesUndisturbedWindowOnce() throws InterruptedException {
        assertThat(chosen(Stop.NEVER, 0)).isEqualTo("window 1");
        assertThat(done).containsExactly("window");
    }

    @Test
    void keepsLessDisturbedWindow() throws InterruptedException {
        assertThat(chosen(Stop.NEVER, 1, 0)).isEqualTo("window 2");
        assertThat(done).containsExactly("window", "wait", "window");
        assertThat(chosen(Stop.NEVER, 1, 0.5)).isEqualTo("window 2");
        assertThat(chosen(Stop.NEVER, 0.5, 1)).isEqualTo("window 1");
    }

    /// The load ends with the run, so a later window would show an idle service.
    @Test
    void ignoresWindowTakenAfterStop() throws InterruptedException {
        assertThat(chosen(Stop.IN_FIRST, 1)).isEqualTo("window 1");
        assertThat(done).containsExactly("window");
        assertThat(chosen(Stop.WHILE_WAITING, 1)).isEqualTo("window 1");
        assertThat(done).containsExactly("window", "wait");
        assertThat(chosen(Stop.IN_SECOND, 1, 0)).isEqualTo("window 1");
    }
}
