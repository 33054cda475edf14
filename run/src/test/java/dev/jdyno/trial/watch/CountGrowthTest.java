package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountGrowthTest {
    private final CountGrowth count = new CountGrowth();

    @Test
    void growthIsFromReadingToReading() {
        assertThat(count.to(5)).contains(5.0);
        assertThat(count.to(12)).contains(7.0);
        assertThat(count.to(12)).contains(0.0);
    }

    /// Its requests would otherwise be those of the next window, too.
    @Test
    void windowAfterAFailedReadingHasNoGrowth() {
        count.to(5);
        count.failed();

        assertThat(count.to(12)).isEmpty();
        assertThat(count.to(15)).contains(3.0);
    }

    @Test
    void countThatStartsAgainHasNoGrowth() {
        count.to(5);

        assertThat(count.to(2)).isEmpty();
        assertThat(count.to(4)).contains(2.0);
    }
}
