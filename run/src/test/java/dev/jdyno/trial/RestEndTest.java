package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.threads.CompilerSample;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RestEndTest {
    private static List<CompilerSample> looks(double used, int... queued) {
        return IntStream.of(queued)
                .mapToObj(q ->
                        new CompilerSample(
                                Optional.of(used),
                                Optional.of(0.0),
                                Optional.of(q),
                                Optional.empty()))
                .toList();
    }

    @Test
    void restContinuesWhileQueueDrains() {
        assertThat(new RestEnd(looks(0.9, 900, 700, 500, 300, 100, 0)).reached()).isFalse();
        assertThat(
                        new RestEnd(looks(0.9, IntStream.range(0, 60).map(i -> 900 - i).toArray()))
                                .reached())
                .isFalse();
    }

    @Test
    void idleCompilersEndRest() {
        assertThat(new RestEnd(looks(0, 0)).reached()).isFalse();
        assertThat(new RestEnd(looks(0, 0, 0)).reached()).isTrue();
    }

    @Test
    void compilersThatWorkOnTheLastMethodAreWaitedFor() {
        assertThat(new RestEnd(looks(0.9, 0, 0, 0)).reached()).isFalse();
    }

    @Test
    void constantQueueEndsRest() {
        assertThat(
                        new RestEnd(looks(0.01, IntStream.range(0, 10).map(_ -> 500).toArray()))
                                .reached())
                .isFalse();
        assertThat(
                        new RestEnd(looks(0.01, IntStream.range(0, 11).map(_ -> 500).toArray()))
                                .reached())
                .isTrue();
    }

    @Test
    void idleCompilersEndTheRestIfTheirQueueIsUnknown() {
        var idle =
                new CompilerSample(
                        Optional.of(0.0), Optional.of(0.01), Optional.empty(), Optional.empty());
        assertThat(new RestEnd(List.of(idle, idle)).reached()).isTrue();
        assertThat(new RestEnd(List.of()).reached()).isFalse();
    }
}
