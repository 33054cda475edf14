package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.forecast.Lifetimes.Spread;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LifetimesTest {
    private static final double SHARE = 0.6;
    private static final double LIFE = 1000;
    private static final int SAMPLES = 100_000;

    /// Compared with the integral of the share of objects that are still alive `x` bytes after
    /// their allocation.
    @ParameterizedTest
    @CsvSource({
        "EVEN, 10",
        "EVEN, 500",
        "EVEN, 1000",
        "EVEN, 1999",
        "EVEN, 9000",
        "MEMORYLESS, 10",
        "MEMORYLESS, 500",
        "MEMORYLESS, 1000",
        "MEMORYLESS, 9000"
    })
    void liveBytesFollowLifetimes(Spread spread, double x) {
        Lifetimes lives = Lifetimes.churn(SHARE, LIFE, spread);
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            sum += Math.min(x, lives.lifeBytes((i + 0.5) / SAMPLES));
        }

        assertThat(lives.alive(x)).isCloseTo(SHARE * sum / SAMPLES, withPercentage(0.1));
    }

    @ParameterizedTest
    @EnumSource(Spread.class)
    void liveBytesConvergeToMeanLifetime(Spread spread) {
        Lifetimes lives = Lifetimes.churn(SHARE, LIFE, spread);

        assertThat(lives.churnLiveBytes()).isCloseTo(SHARE * LIFE, offset(1e-9));
        assertThat(lives.alive(100 * LIFE)).isCloseTo(SHARE * LIFE, offset(1e-6));
        assertThat(lives.lifeBytes(0)).isZero();
        assertThat(lives.isSteady()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Spread.class)
    void addsBytesOfRequestsUpToAllocatedBytes(Spread spread) {
        var lives = new Lifetimes(0, 50, SHARE, LIFE, spread);

        assertThat(lives.alive(20)).isEqualTo(20);
        assertThat(lives.alive(100 * LIFE)).isCloseTo(50 + SHARE * LIFE, offset(1e-6));
        assertThat(lives.withBuilt(7).builtBytes()).isEqualTo(7);
        assertThat(lives.withBuilt(7).spread()).isEqualTo(spread);
    }
}
