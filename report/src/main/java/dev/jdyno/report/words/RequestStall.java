package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A stall of requests: a response time that no percentile shows, or seconds without any successful
/// response.
///
/// @param slowest round of the slowest request; empty if it took less than a second or was close to
///   its round's median
/// @param silentSeconds seconds of all rounds without a successful response
/// @param seconds total length of all rounds
/// @param silent the round with the most seconds without a response; empty if there are none
public record RequestStall(
        Optional<Round> slowest, long silentSeconds, double seconds, Optional<Round> silent) {
    /// Minimum response time of a stalled request, in ms.
    private static final double SLOW_FROM_MS = 1000;

    /// Minimum response time of a stalled request, as a multiple of the median.
    private static final double TIMES_MEDIAN = 20;

    /// Minimum requests/s of a round. In such a round, a second without a response is not due to
    /// chance and counts as silent. The round's median response time must also be well below a
    /// second.
    private static final double ANSWERS_DUE = 10;

    private static final double MAX_MEDIAN_MS = 200;

    /// The stall of a run; empty if there was none.
    public static Optional<RequestStall> of(RunResult r) {
        Optional<Round> slowest =
                r.rounds().stream()
                        .filter(RequestStall::isSlow)
                        .max(Comparator.comparingDouble(x -> x.rtMs().max()));
        List<Round> silent = r.rounds().stream().filter(x -> silentSeconds(x) > 0).toList();
        return slowest.isEmpty() && silent.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new RequestStall(
                                slowest,
                                silent.stream().mapToLong(RequestStall::silentSeconds).sum(),
                                r.rounds().stream().mapToDouble(Round::seconds).sum(),
                                silent.stream()
                                        .max(
                                                Comparator.comparingLong(
                                                        RequestStall::silentSeconds))));
    }

    private static boolean isSlow(Round round) {
        double max = round.rtMs().max();
        return max > SLOW_FROM_MS && max > TIMES_MEDIAN * round.rtMs().p50();
    }

    private static long silentSeconds(Round round) {
        boolean due = round.qps() >= ANSWERS_DUE && round.rtMs().p50() <= MAX_MEDIAN_MS;
        return due ? round.slices().stream().filter(s -> s.qps() <= 0).count() : 0;
    }

    /// The name of the stall: `Slowest request`, or a name for the seconds without a response.
    public String name() {
        return slowest.isPresent() ? "Slowest request" : "No replies";
    }

    /// The length of the stall: `4.56 s`.
    public String figure() {
        return seconds(slowest.map(r -> r.rtMs().max() / 1000).orElse((double) silentSeconds));
    }

    /// The circumstances of the stall: `at N = 16, where half took up to 19.6 ms`. Silent seconds
    /// are added if there were any.
    public String says() {
        return slowest.map(RequestStall::comparedWithMedian).orElse("")
                + (slowest.isPresent() && silent.isPresent() ? "; " : "")
                + silence().orElse("");
    }

    private static String comparedWithMedian(Round r) {
        return String.format(
                Locale.ROOT,
                "at N = %d, where half took up to %s ms",
                r.concurrency(),
                Figures.number(r.rtMs().p50()));
    }

    private Optional<String> silence() {
        return silent.map(r ->
                String.format(
                        Locale.ROOT,
                        "no request was answered in %s of %s s of load, most at N = %d",
                        silentSeconds,
                        Figures.number(seconds),
                        r.concurrency()));
    }

    /// The stall in one line of text.
    public String line() {
        String silence =
                silent.map(_ ->
                                String.format(
                                        Locale.ROOT,
                                        "no answers in %s of %s s of load",
                                        silentSeconds,
                                        Figures.number(seconds)))
                        .orElse("");
        return slowest.map(r ->
                        String.format(
                                Locale.ROOT,
                                "Slowest request %s at N=%d, where the median is %s ms%s",
                                figure(),
                                r.concurrency(),
                                Figures.number(r.rtMs().p50()),
                                silence.isEmpty() ? "" : "; " + silence))
                .orElse("Stall: " + silence);
    }

    private static String seconds(double s) {
        return Figures.number(s) + " s";
    }
}
