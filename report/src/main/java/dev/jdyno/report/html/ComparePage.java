package dev.jdyno.report.html;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.FrameName;
import dev.jdyno.report.words.Highlights;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/// The data of a comparison's page.
///
/// @param version of jdyno
public record ComparePage(Compared result, String version) implements HtmlPage {
    /// Width of the plot of ratios, in its own units.
    private static final double WIDTH = 300;

    /// Minimum half-width of the plotted range on the log scale, so that small differences look
    /// small.
    private static final double MIN_RANGE = Math.log(1.1);

    private static final double MARGIN = 1.08;

    /// Minimum difference of a frame with the darkest colour, as a share of all CPU time of B.
    private static final double MUCH = 0.2;

    private static final double SOME = 0.05;

    public String verdict() {
        return CompareText.verdict(result);
    }

    public String how() {
        return CompareText.how(result);
    }

    public List<String> where() {
        return CompareText.where(result);
    }

    public String a(Row row) {
        return CompareText.figure(row.metric(), row.a());
    }

    public String b(Row row) {
        return CompareText.figure(row.metric(), row.b());
    }

    public String ratio(double value) {
        return CompareText.ratio(value);
    }

    /// The CSS class of an outcome.
    public String tone(Outcome outcome) {
        return switch (outcome) {
            case BETTER -> "up";
            case WORSE -> "down";
            case EQUIVALENT, INCONCLUSIVE -> "dim";
        };
    }

    /// The plot of the ratios; all rows share one scale.
    public RatioPlot plot() {
        return new RatioPlot(WIDTH, range());
    }

    private double range() {
        double max =
                result.rows().stream()
                        .flatMapToDouble(r ->
                                DoubleStream.concat(
                                        r.ratios().stream().mapToDouble(v -> v),
                                        r.effect().stream().mapToDouble(e -> e.ratio())))
                        .map(v -> Math.abs(Math.log(v)))
                        .max()
                        .orElse(0);
        return Math.max(MIN_RANGE, MARGIN * max);
    }

    /// The breakdowns of the two variants; empty if one of them is missing.
    public Optional<Difference.Breakdowns> breakdowns() {
        return result.difference().flatMap(Difference::breakdown).filter(b -> !b.parts().isEmpty());
    }

    /// The key of a part in the CSS.
    public String key(Difference.Part part) {
        return part.cause().map(Cause::key).orElse(Highlights.UNEXPLAINED);
    }

    public String name(Difference.Part part) {
        return CompareText.name(part);
    }

    public String means(Difference.Part part) {
        return Highlights.means(key(part));
    }

    /// Width of a part of a bar, in percent of the longer bar.
    public String width(double ms, Difference.Breakdowns of) {
        double a = of.parts().stream().mapToDouble(Difference.Part::aMs).sum();
        double b = of.parts().stream().mapToDouble(Difference.Part::bMs).sum();
        return String.format(Locale.ROOT, "%.2f", 100 * ms / Math.max(a, b));
    }

    public String ms(double value) {
        return Figures.number(value);
    }

    /// A difference in ms with its sign.
    public String by(double ms) {
        return CompareText.by(ms);
    }

    public List<Difference.Method> methods() {
        return result.difference().map(Difference::methods).orElse(List.of());
    }

    public Optional<Difference.Flame> flame() {
        return result.difference().flatMap(Difference::flame).filter(f -> f.bMs() > 0);
    }

    /// Width of a frame, in percent of the frame above.
    public String width(Difference.Flame frame, Difference.Flame above) {
        return String.format(Locale.ROOT, "%.2f", 100 * frame.bMs() / above.bMs());
    }

    /// The short name of a frame: `Page.get` for `com.acme.Page.get`.
    public String shortFrame(String frame) {
        return FrameName.brief(frame);
    }

    public String flameTitle(Difference.Flame frame) {
        return "%s ms in A, %s ms in B, %s ms"
                .formatted(ms(frame.aMs()), ms(frame.bMs()), by(frame.byMs()));
    }

    /// The CSS class of a frame. The colour is darker if the difference is a larger share of B's
    /// CPU time.
    public String flameClass(Difference.Flame frame) {
        if (!frame.differs()) {
            return "d-same";
        }
        double share = Math.abs(frame.byMs()) / flame().orElseThrow().bMs();
        int step = share >= MUCH ? 3 : share >= SOME ? 2 : 1;
        return (frame.byMs() > 0 ? "d-grew-" : "d-shrank-") + step;
    }
}
