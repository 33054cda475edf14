package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import dev.jdyno.measure.watch.WatchedServices;
import java.util.List;
import java.util.Optional;

/// The first page: a row for each plan, the watched services, and the newest results.
///
/// @param plans the plans of this page, the one with the newest result first
/// @param allPlans number of all plans
/// @param from index of the first plan on this page, from 0
/// @param newest the newest results of any plan
/// @param allResults number of all results
/// @param text that the listed results contain; empty: any text
/// @param store location of the results
/// @param watched the services that have day files of a watch; empty if none are shown
/// @param version of jdyno
public record PlansPage(
        List<PlanRow> plans,
        int allPlans,
        int from,
        List<Entry> newest,
        long allResults,
        Optional<String> text,
        String store,
        Optional<WatchedServices> watched,
        String version)
        implements HtmlPage {
    /// Maximum number of plans on a page.
    public static final int SIZE = 50;

    /// Maximum number of newest results below the plans.
    public static final int NEWEST = 20;

    public PlansPage {
        plans = List.copyOf(plans);
        newest = List.copyOf(newest);
    }

    public ResultRows rows() {
        return new ResultRows(newest);
    }

    /// True if there is nothing to search.
    public boolean isEmpty() {
        return allResults == 0 && text.isEmpty();
    }

    /// True if a watched service has a row.
    public boolean hasWatched() {
        return text.isEmpty() && watched.filter(w -> !w.services().isEmpty()).isPresent();
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
