package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// E18: a young generation of 500 MB is enlarged to 2560 MB. The formula for a large enough young
/// generation (F9) predicts which service gains: a service whose young generation was smaller than
/// the memory of a hundred requests.
final class YoungForLargeRequests implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(6);
    private static final Duration HOLD = Duration.ofMillis(25);
    private static final int CLIENTS = 16;
    private static final int SMALL_MB = 500;
    private static final int LARGE_MB = 2560;

    /// Size of the list that holds the arrays of a request, per MB. It grows by half each time: 12
    /// bytes for each of 4096 arrays.
    private static final long LIST_BYTES_PER_MB = 12 * 4096;

    /// Maximum change of throughput that counts as no gain.
    private static final double NO_GAIN = 0.10;

    private static final double PUBLISHED = 170 / 100.0;

    /// One service with both sizes of the young generation.
    ///
    /// @param requestMb memory of a request
    /// @param gcSmall share of time in GC pauses with the small size, 0 to 1
    record Pair(int requestMb, double qpsSmall, double qpsLarge, double gcSmall, double gcLarge) {
        double gain() {
            return qpsLarge / qpsSmall;
        }

        /// True if the formula for a large enough young generation (F9) predicts a gain.
        boolean gains() {
            return SMALL_MB < GcLimits.REQUESTS_IN_YOUNG * requestMb;
        }
    }

    @Override
    public String id() {
        return "E18";
    }

    @Override
    public String title() {
        return "-Xmn500m and -Xmn2560m at 12 MB and at 5 MB a request";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Pair> pairs = new ArrayList<>();
        for (int requestMb : List.of(12, 5)) {
            HeapCase.Outcome small = measured(bench, requestMb, SMALL_MB);
            HeapCase.Outcome large = measured(bench, requestMb, LARGE_MB);
            rows.add(small.countRow());
            rows.add(large.countRow());
            pairs.add(
                    new Pair(
                            requestMb,
                            small.round().qps(),
                            large.round().qps(),
                            small.gc().pauseShare(),
                            large.gc().pauseShare()));
        }
        rows.addAll(judged(pairs));
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "requests in arrays of 256 bytes, held 25 ms, 16 at a time; old 500 MB, Parallel",
                        "predicted by F9: a gain where the young generation was smaller than 100 requests'"
                                + " memory (12 MB: 1200 > 500 MB; 5 MB: 500 MB)"));
    }

    private static HeapCase.Outcome measured(Bench bench, int requestMb, int youngMb)
            throws InterruptedException {
        var given =
                new HeapCase(
                        requestMb + " MB, -Xmn" + youngMb + "m",
                        HeapFlags.of(Collector.PARALLEL, Bytes.mebi(youngMb + 500))
                                .withYoung(Bytes.mebi(youngMb)),
                        HeapWorkload.holding(
                                        Bytes.mebi(requestMb),
                                        HOLD,
                                        new Arrivals.Closed(CLIENTS),
                                        1)
                                .inObjectsOf(Bytes.parse("256"))
                                .withSmall(new Bytes(requestMb * LIST_BYTES_PER_MB)),
                        CLIENTS);
        return given.run(bench, Jdks.all().getLast(), LENGTH);
    }

    static List<Row> judged(List<Pair> pairs) {
        List<Row> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            boolean large = pair.requestMb() == 12;
            String name = pair.requestMb() + " MB a request";
            rows.add(qps("QPS, small young, " + name, large ? 100 : 0, pair.qpsSmall()));
            rows.add(qps("QPS, large young, " + name, large ? 170 : 0, pair.qpsLarge()));
            rows.add(Comparison.here("stopped, small young, " + name, 100 * pair.gcSmall(), "%"));
            rows.add(Comparison.here("stopped, large young, " + name, 100 * pair.gcLarge(), "%"));
            Row gain =
                    large
                            ? Comparison.gain("QPS, large / small, " + name, PUBLISHED, pair.gain())
                            : Comparison.within(
                                    "QPS, large / small, " + name,
                                    1,
                                    pair.gain(),
                                    "ratio",
                                    1 - NO_GAIN,
                                    1 + NO_GAIN);
            rows.add(gain.because(why(pair)));
            boolean measured = pair.gain() > 1 + NO_GAIN;
            rows.add(
                    new Row(
                            "gains, " + name,
                            Optional.of(large ? 1.0 : 0.0),
                            Optional.of(pair.gains() ? 1.0 : 0.0),
                            measured ? 1 : 0,
                            Comparison.YES_OR_NO,
                            Optional.of(new Judged(measured == pair.gains(), 0))));
        }
        return rows;
    }

    private static Row qps(String name, double published, double measured) {
        return published > 0
                ? Comparison.figure(name, published, measured, "1/s")
                : Comparison.here(name, measured, "1/s");
    }

    private static String why(Pair pair) {
        return String.format(
                Locale.ROOT,
                "the collector stopped it for %.0f %% of the time with the small young generation and"
                        + " for %.0f %% with the large one: that is all that can be gained",
                100 * pair.gcSmall(),
                100 * pair.gcLarge());
    }
}
