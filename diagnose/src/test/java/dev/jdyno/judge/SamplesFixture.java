package dev.jdyno.judge;

import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;

/// Thread samples of the run of {@link ResultFixture}: what threads and requests waited for.
public final class SamplesFixture {
    private SamplesFixture() {}

    private static final Place.Peer CALLED = new Place.Peer("127.0.0.1:41873");

    public static Breakdown anatomy(double rt) {
        double waiting = Math.max(0.2, (rt - 93) * 0.8);
        return new Breakdown(
                Map.of(
                        Cause.CPU, 9.8,
                        Cause.RUN_QUEUE, waiting,
                        Cause.DOWNSTREAM, 80.3,
                        Cause.POOL, 0.4,
                        Cause.GC, 0.3),
                List.of(
                        new Breakdown.Spot(Cause.DOWNSTREAM, CALLED, 80.3),
                        new Breakdown.Spot(
                                Cause.CPU,
                                PlaceText.place(Cause.CPU, "dev.jdyno.lab.CpuBurner.burn"),
                                9.1)),
                Math.max(0, rt - 90.8 - waiting));
    }

    public static ThreadSamples census() {
        return new ThreadSamples(
                20,
                173.8,
                20,
                1.4,
                List.of(
                        new ThreadSamples.Pool(
                                "http-nio-#-exec",
                                24,
                                18.6,
                                5.4,
                                3,
                                true,
                                false,
                                1.9,
                                Map.of(Cause.DOWNSTREAM, 14.0, Cause.CPU, 4.6))),
                List.of(
                        new ThreadSamples.Busy(Cause.DOWNSTREAM, CALLED, 14.0),
                        new ThreadSamples.Busy(
                                Cause.LOCK,
                                PlaceText.place(Cause.LOCK, "java.util.Hashtable"),
                                0.1,
                                PlaceText.holder("cpu: com.acme.Page.get"))),
                0.2,
                0,
                List.of(new Calls(CALLED, 20, 14.3, 20)),
                new Signals(
                        Map.of(
                                Signals.Sign.PSI_CPU, 0.4,
                                Signals.Sign.HOTTEST_THREAD_CORES, 0.3),
                        Map.of(Signals.Sign.HOTTEST_THREAD_CORES, "http-nio-exec-1")));
    }
}
