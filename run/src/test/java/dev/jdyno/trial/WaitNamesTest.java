package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Insight.Wait;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitNamesTest {
    private static final Wait FOR_A_RESULT =
            new Wait(
                    30,
                    Cause.FUTURE,
                    "result of another task in com.acme.Backend.fetch",
                    100,
                    26,
                    Optional.empty());
    private static final Wait FOR_ANOTHER =
            new Wait(
                    30,
                    Cause.FUTURE,
                    "result of another task in com.acme.Backend.list",
                    10,
                    2,
                    Optional.empty());

    private static ThreadSamples samples(double calls, double tasks) {
        return new ThreadSamples(
                30,
                100,
                10,
                1,
                List.of(),
                List.of(
                        new ThreadSamples.Busy(
                                Cause.DOWNSTREAM,
                                new Place.Peer("127.0.0.1:9001"),
                                calls,
                                Optional.of(new Holder.AsyncClient())),
                        new ThreadSamples.Busy(
                                Cause.FUTURE, new Place.Common(Place.Activity.OTHER_TASK), tasks)),
                0,
                0);
    }

    @Test
    void aWaitForTheResultOfACallHasTheNameOfTheCall() {
        List<Wait> named =
                WaitNames.of(List.of(FOR_A_RESULT, FOR_ANOTHER), List.of(samples(7.8, 0.1)));

        assertThat(named)
                .containsExactly(
                        new Wait(
                                30, Cause.DOWNSTREAM, "127.0.0.1:9001", 110, 28, Optional.empty()));
    }

    @Test
    void keepsNameIfMostWaitForTasks() {
        assertThat(WaitNames.of(List.of(FOR_A_RESULT), List.of(samples(1, 7))))
                .containsExactly(FOR_A_RESULT);
        assertThat(WaitNames.of(List.of(FOR_A_RESULT), List.of())).containsExactly(FOR_A_RESULT);
    }
}
