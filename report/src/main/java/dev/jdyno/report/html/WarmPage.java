package dev.jdyno.report.html;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.Warmed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The data of the page of a warm-up study.
///
/// @param version of jdyno
public record WarmPage(Warmed result, String version) implements HtmlPage {
    private static final List<String> COLOURS =
            List.of("--predicted", "--tail", "--model", "--pool", "--lock");

    public String verdict() {
        return WarmText.verdict(result);
    }

    public String plateau() {
        return WarmText.plateau(result).orElse("");
    }

    public String how() {
        return WarmText.how(result);
    }

    public List<String> titles() {
        return WarmText.titles(result);
    }

    public List<WarmText.Row> rows() {
        List<WarmText.Row> rows = new ArrayList<>();
        rows.add(WarmText.baseline(result));
        result.tried().forEach(t -> rows.add(WarmText.row(result, t)));
        return rows;
    }

    /// Throughput since the launch: each start of the unchanged service, and the first start of
    /// each way to shorten the warm-up.
    public Chart chart() {
        List<Chart.Series> series = new ArrayList<>();
        List<ColdStart.Curve> asIs = result.asIs().curves();
        for (int i = 0; i < asIs.size(); i++) {
            series.add(line("baseline " + (i + 1), "--measured", asIs.get(i), Chart.Style.LINE));
        }
        int colour = 0;
        for (Warmed.Tried tried : result.tried()) {
            if (tried instanceof Warmed.Tried.Measured m) {
                series.add(
                        line(
                                m.way().key(),
                                COLOURS.get(colour++ % COLOURS.size()),
                                m.starts().curves().getFirst(),
                                Chart.Style.DASHED));
            }
        }
        return Chart.of(
                        Chart.X.linear("time since the launch, s", true),
                        Chart.Y.fromZero("requests/s", "/s"),
                        series)
                .withZoom()
                .withMarks(marks());
    }

    private List<Chart.Mark> marks() {
        StartFigures first = result.asIs().figures().getFirst();
        List<Chart.Mark> marks = new ArrayList<>();
        marks.add(mark(first.firstAnswerS(), "first answer"));
        first.to90S().ifPresent(s -> marks.add(mark(s, "90 %")));
        first.to99S()
                .filter(s -> !Optional.of(s).equals(first.to90S()))
                .ifPresent(s -> marks.add(mark(s, "99 %")));
        return marks;
    }

    private static Chart.Mark mark(double at, String what) {
        return new Chart.Mark(
                at, Interval.exactly(at), what + ": " + Figures.number(at) + " s", true);
    }

    private static Chart.Series line(
            String name, String colour, ColdStart.Curve curve, Chart.Style style) {
        return new Chart.Series(
                name,
                style,
                colour,
                curve.seconds().stream()
                        .map(s -> new Chart.Point(s.atS() - s.seconds() / 2, s.qps()))
                        .toList());
    }
}
