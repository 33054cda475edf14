package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The list of stored results. Links are relative, so that the page can be served below any path.
///
/// @param all number of all results
/// @param from index of the first result on this page, from 0
/// @param plan whose results are listed; empty: all plans
/// @param text that the listed results contain; empty: any text
/// @param version of jdyno
public record HistoryPage(
        List<Entry> entries,
        long all,
        int from,
        Optional<String> plan,
        Optional<String> text,
        String version)
        implements HtmlPage {
    /// Maximum number of results on a page.
    public static final int SIZE = 100;

    public HistoryPage {
        entries = List.copyOf(entries);
    }

    public ResultRows rows() {
        return new ResultRows(entries);
    }

    public Optional<String> newer() {
        return from == 0 ? Optional.empty() : Optional.of(link(Math.max(0, from - SIZE)));
    }

    public Optional<String> older() {
        return from + SIZE >= all ? Optional.empty() : Optional.of(link(from + SIZE));
    }

    private String link(int start) {
        return "runs?from="
                + start
                + plan.map(p -> "&plan=" + encoded(p)).orElse("")
                + text.map(t -> "&q=" + encoded(t)).orElse("");
    }

    /// A text as part of the query or the path of a URL.
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// The results of a plan.
    static String results(String of) {
        return "runs?plan=" + encoded(of);
    }

    public String trend(String of) {
        return "trend?plan=" + encoded(of);
    }

    public String policy() {
        return Assets.listPolicy();
    }

    public String script() {
        return Assets.listScript();
    }
}
