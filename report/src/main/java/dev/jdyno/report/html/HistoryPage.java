package dev.jdyno.report.html;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.Figures;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The list of stored results. Links are relative, so that it can be served below any path.
///
/// @param all how many there are
/// @param from the first of them on this page, from 0
/// @param plan whose results are listed; empty: all
/// @param plans that have results
/// @param version of jdyno
public record HistoryPage(
        List<Entry> entries,
        long all,
        int from,
        Optional<String> plan,
        List<String> plans,
        String version) {
    /// Results of one page.
    public static final int SIZE = 100;

    public HistoryPage {
        entries = List.copyOf(entries);
        plans = List.copyOf(plans);
    }

    public String time(Entry e) {
        return HistoryReport.time(e.at());
    }

    /// A figure as a cell; empty where there is none.
    public String figure(Entry e, String name) {
        return e.figure(name)
                .map(f -> (f.unit().equals("ratio") ? "× " : "") + Figures.number(f.value()))
                .orElse("");
    }

    public String commit(Entry e) {
        return e.code().map(Commit::shortHash).orElse("");
    }

    public Optional<String> newer() {
        return from == 0 ? Optional.empty() : Optional.of(link(Math.max(0, from - SIZE)));
    }

    public Optional<String> older() {
        return from + SIZE >= all ? Optional.empty() : Optional.of(link(from + SIZE));
    }

    private String link(int start) {
        return "./?from=" + start + plan.map(p -> "&plan=" + encoded(p)).orElse("");
    }

    /// A text as part of a URL's query or path.
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public String trend(String of) {
        return "trend?plan=" + encoded(of);
    }
}
