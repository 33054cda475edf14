package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MinuteClockTest {
    private Instant wall = Instant.parse("2026-11-30T14:05:00Z");
    private long nanos = 1_000_000_000L;
    private final MinuteClock clock = new MinuteClock(() -> wall, () -> nanos);

    private void pass(double seconds) {
        wall = wall.plusMillis(Math.round(seconds * 1000));
        nanos += Math.round(seconds * 1e9);
    }

    @Test
    void minuteEndsWithMinuteOfWallClock() {
        assertThat(clock.begin().seconds()).isEqualTo(60);
        pass(17.5);
        assertThat(clock.begin().seconds()).isEqualTo(42.5);
        pass(32.5);
        assertThat(clock.begin().seconds()).isEqualTo(10);
    }

    @Test
    void shortRestOfMinuteIsJoinedToNextMinute() {
        pass(50.001);
        assertThat(clock.begin().seconds()).isEqualTo(69.999);
        pass(9.998);
        assertThat(clock.begin().seconds()).isCloseTo(60.001, Offset.offset(1e-9));
    }

    @Test
    void timesBefore1970HaveMinutesToo() {
        wall = Instant.ofEpochSecond(-90);
        assertThat(clock.begin().seconds()).isEqualTo(30);
    }

    @Test
    void lengthIsThatOfMonotonicClock() {
        MinuteClock.Begun begun = clock.begin();
        pass(60);
        wall = wall.plusSeconds(86_400);

        assertThat(clock.seconds(begun)).isEqualTo(60);
        assertThat(clock.jumpS(begun)).isEqualTo(86_400);
    }

    @Test
    void clockThatIsSetBackIsNegativeJump() {
        MinuteClock.Begun begun = clock.begin();
        pass(60);
        wall = wall.minusSeconds(3600);

        assertThat(clock.jumpS(begun)).isEqualTo(-3600);
        assertThat(clock.begin().at()).isEqualTo(Instant.parse("2026-11-30T13:06:00Z"));
    }

    @Test
    void slewedClockIsNoJump() {
        MinuteClock.Begun begun = clock.begin();
        pass(60);
        wall = wall.plusMillis(30);

        assertThat(clock.jumpS(begun)).isZero();
    }

    @Test
    void stopOfJdynoItselfIsLongMinuteAndNoJump() {
        MinuteClock.Begun begun = clock.begin();
        pass(400);

        assertThat(clock.seconds(begun)).isEqualTo(400);
        assertThat(clock.jumpS(begun)).isZero();
    }
}
