package dev.jdyno.report.words;

import static dev.jdyno.judge.ResultVariants.answered;
import static dev.jdyno.judge.ResultVariants.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.terminal.TerminalReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RequestStallTest {
    private static Round served(double p50, double max, double... perSecond) {
        return answered(
                round(16),
                DoubleStream.of(perSecond).average().orElseThrow(),
                new Latency(p50, p50, p50, p50, p50, max),
                DoubleStream.of(perSecond)
                        .mapToObj(qps -> new Slice(qps, p50, Optional.empty()))
                        .toList());
    }

    private static Optional<RequestStall> of(Round... rounds) {
        return RequestStall.of(ResultVariants.with(List.of(rounds)));
    }

    @Test
    void reportsRoundAndSilenceOfSlowestRequest() {
        RunResult r =
                ResultVariants.with(
                        List.of(
                                round(1),
                                served(19.6, 2100, 700, 700),
                                served(19.6, 4559, 660, 23, 0, 0, 0, 646)));

        assertThat(HtmlReport.render(r, List.of()))
                .contains(
                        "<b>Slowest request 4.56 s</b> at N = 16, where half took up to 19.6 ms; no request was answered in 3 of 30 s of load, most at N = 16");
        assertThat(new TerminalReport(false).verdict(r, Optional.empty()))
                .contains(
                        "  Slowest request 4.56 s at N=16, where the median is 19.6 ms; no answers in 3 of 30 s of load\n");
    }

    @Test
    void reportsSilenceOfUnansweredRequests() {
        RequestStall silence = of(served(6.7, 61, 527, 525, 553, 474, 98, 0)).orElseThrow();

        assertThat(silence.name() + ": " + silence.figure()).isEqualTo("No replies: 1 s");
        assertThat(silence.line()).isEqualTo("Stall: no answers in 1 of 10 s of load");
    }

    @Test
    void slowRequestsAndFewRepliesAreNoStall() {
        assertThat(of(served(90, 1500, 170, 170))).as("below 20 times the median").isEmpty();
        assertThat(of(served(9, 900, 170, 170))).as("below a second").isEmpty();
        assertThat(of(served(900, 2500, 16, 0, 16))).as("answers take that long").isEmpty();
        assertThat(of(served(5, 60, 1, 0, 1))).as("few are asked for").isEmpty();
        assertThat(RequestStall.of(ResultFixture.e1())).isEmpty();
    }
}
