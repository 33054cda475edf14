package dev.jdyno.report.html;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.Tuned;
import java.util.List;
import java.util.stream.DoubleStream;

/// The data of a tuning's page.
///
/// @param version of jdyno
public record TunePage(Tuned result, String version) implements HtmlPage {
    /// Width of the plot of gains, in its own units; a gain of zero is in the middle.
    private static final double WIDTH = 240;

    private static final double MIN_RANGE = Math.log(1.1);

    public String verdict() {
        return TuneText.verdict(result);
    }

    public String how() {
        return TuneText.how(result);
    }

    public String number(double value) {
        return Figures.number(value);
    }

    public String predicted(Tuned.Tried tried) {
        return TuneText.predicted(tried.candidate());
    }

    public String changes(Tuned.Tried tried) {
        return changes(tried.candidate());
    }

    public String changes(Candidate candidate) {
        return TuneText.changes(candidate.changes());
    }

    public String change(Change change) {
        return TuneText.change(change);
    }

    public String without(Change change) {
        return TuneText.without(result, change).orElse("the only one");
    }

    public String gain(Measured m) {
        return TuneText.gain(m);
    }

    public String interval(Measured m) {
        return m.ci95().map(TuneText::interval).orElse("–");
    }

    public String command() {
        return Secrets.commandLine(result.command());
    }

    /// The load of the measurements; empty if nothing was measured.
    public String load() {
        return TuneText.load(result).orElse("");
    }

    /// Which figure the gains are of; empty if it is the improved one.
    public String by() {
        return TuneText.by(result).orElse("");
    }

    public String beyondSettings() {
        return TuneText.beyondSettings(result);
    }

    /// Recommendations that are not settings.
    public List<String> next() {
        return result.next().stream().map(TuneText::advice).toList();
    }

    public List<String> notes() {
        return TuneText.notes(result);
    }

    public String fate(Tuned.Tried tried) {
        return TuneText.fate(tried);
    }

    /// The CSS class for the outcome of a candidate.
    public String tone(Tuned.Fate fate) {
        return switch (fate) {
            case ACCEPTED -> "up";
            case DOES_NOT_START, INFEASIBLE -> "down";
            case REJECTED, INCONCLUSIVE, NOT_PROMISING, NOT_COMPARED -> "dim";
        };
    }

    /// The plot of the gains; all rows share one scale.
    public RatioPlot plot() {
        return new RatioPlot(WIDTH, range());
    }

    private double range() {
        double max =
                result.rounds().stream()
                        .flatMap(r -> r.tried().stream())
                        .flatMap(t -> t.best().stream())
                        .flatMap(m -> m.gain().stream())
                        .flatMapToDouble(g -> DoubleStream.of(Math.abs(Math.log(g))))
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0);
        return Math.max(MIN_RANGE, 1.08 * max);
    }
}
