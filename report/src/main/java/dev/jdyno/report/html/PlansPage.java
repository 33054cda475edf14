package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import java.util.List;
import java.util.Optional;

/// The first page: one row a plan, and the newest results.
///
/// @param plans those of this page, the one with the newest result first
/// @param allPlans how many there are
/// @param from the first of them on this page, from 0
/// @param newest results of any plan
/// @param allResults how many there are
/// @param text that the listed results contain; empty: any
/// @param store where the results are kept
/// @param version of jdyno
public record PlansPage(
        List<PlanRow> plans,
        int allPlans,
        int from,
        List<Entry> newest,
        long allResults,
        Optional<String> text,
        String store,
        String version)
        implements HtmlPage {
    /// Plans of one page.
    public static final int SIZE = 50;

    /// The newest results that stand below them.
    public static final int NEWEST = 20;

    public PlansPage {
        plans = List.copyOf(plans);
        newest = List.copyOf(newest);
    }

    public ResultRows rows() {
        return new ResultRows(newest);
    }

    /// Whether there is nothing that could be searched.
    public boolean isEmpty() {
        return allResults == 0 && text.isEmpty();
    }

    public Optional<String> before() {
        return from == 0 ? Optional.empty() : Optional.of(link(Math.max(0, from - SIZE)));
    }

    public Optional<String> after() {
        return from + SIZE >= allPlans ? Optional.empty() : Optional.of(link(from + SIZE));
    }

    private String link(int start) {
        return "./?from=" + start + text.map(t -> "&q=" + HistoryPage.encoded(t)).orElse("");
    }

    public String results() {
        return "runs" + text.map(t -> "?q=" + HistoryPage.encoded(t)).orElse("");
    }

    public String policy() {
        return Assets.listPolicy();
    }

    public String script() {
        return Assets.listScript();
    }
}
