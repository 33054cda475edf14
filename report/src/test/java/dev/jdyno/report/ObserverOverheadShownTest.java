package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.Highlights;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The cost of diagnostic windows, in every form of the report.
class ObserverOverheadShownTest {
    private static RunResult compared() {
        RunResult r = ResultFixture.e1();
        Round round = Highlights.breakdownRound(r).orElseThrow();
        double p99 = round.rtMs().p99() * 1.4;
        double qps = round.qps() * 0.97;
        ThreadSamples window = r.census().getFirst().atThroughput(qps);
        Signals overhead =
                ObserverOverhead.signals(qps, round, new Latency(p99, p99, p99, p99, p99, p99));
        return ResultVariants.with(
                SamplesVariant.withSignals(window, window.signals().and(overhead)));
    }

    @Test
    void terminalPageAndDocumentShowOverhead() {
        String says = "Observer overhead N=20: QPS -3 %, p99 x1.4; 20 dumps, longest 1.4 ms";

        assertThat(new TerminalReport(false).verdict(compared(), Optional.empty())).contains(says);
        assertThat(HtmlReport.render(compared(), List.of())).contains("<li>" + says);
        assertThat(ResultJson.toString(compared()))
                .contains("\"evidenceQpsRatio\"", "\"evidenceP99Ratio\"");
    }
}
