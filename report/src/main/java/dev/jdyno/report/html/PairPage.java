package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.Pair;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The page of two stored results.
///
/// @param version of jdyno
public record PairPage(Pair pair, String version) implements HtmlPage {
    public Entry a() {
        return pair.a();
    }

    public Entry b() {
        return pair.b();
    }

    public List<Pair.Row> figures() {
        return pair.figures();
    }

    public List<Pair.Row> causes() {
        return pair.parts(Entry.PartKind.CAUSE);
    }

    public List<Pair.Row> methods() {
        return pair.parts(Entry.PartKind.METHOD);
    }

    public String text(Optional<Double> value) {
        return value.map(Figures::number).orElse("");
    }

    public String ratio(Pair.Row row) {
        return row.ratio().map(r -> "× " + CompareText.ratio(r)).orElse("");
    }

    /// The name of the common plan, or both names.
    public String plans() {
        return a().plan().equals(b().plan()) ? a().plan() : a().plan() + " and " + b().plan();
    }

    /// Other differences, which may make the figures incomparable; blank if there are none.
    public String others() {
        return Stream.of(
                        a().plan().equals(b().plan()) ? "" : "They are of two plans.",
                        a().environment().isSameMachine(b().environment())
                                ? ""
                                : "They are of two machines, "
                                        + a().environment().host()
                                        + " and "
                                        + b().environment().host()
                                        + ".")
                .filter(s -> !s.isEmpty())
                .collect(Collectors.joining(" "));
    }

    public String time(Entry e) {
        return HistoryReport.time(e.at());
    }
}
