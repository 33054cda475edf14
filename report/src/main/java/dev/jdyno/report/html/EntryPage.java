package dev.jdyno.report.html;

import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// One stored result. Links are relative to its address, `runs/ID`.
///
/// @param report true if the result's own report can be shown
/// @param before id of the previous result of the same plan and verb
/// @param version of jdyno
public record EntryPage(Entry entry, boolean report, Optional<String> before, String version)
        implements HtmlPage {
    /// Paths of GC logs: the name that `run` gives, also in the folders of the starts of `compare`
    /// and `tune`.
    private static final Pattern GC_LOG =
            Pattern.compile("(?:.*/)?gc[^/]*\\.log(?:\\.\\d+|\\.gz)?");

    public String time() {
        return HistoryReport.time(entry.at());
    }

    public String number(double value) {
        return Figures.number(value);
    }

    public String interval(Entry.Figure f) {
        return f.ci95().map(Figures::range).orElse("");
    }

    public List<Entry.Part> parts(Entry.PartKind kind) {
        return entry.parts().stream().filter(p -> p.kind() == kind).toList();
    }

    public List<Entry.Part> causes() {
        return parts(Entry.PartKind.CAUSE);
    }

    public List<Entry.Part> methods() {
        return parts(Entry.PartKind.METHOD);
    }

    /// Paths of the result's GC logs below its folder.
    public List<String> gcLogs() {
        return entry.artifacts().stream()
                .map(Entry.Artifact::path)
                .filter(p -> GC_LOG.matcher(p).matches())
                .toList();
    }

    public String gcLog(String path) {
        return HistoryPage.encoded(entry.id()) + "/gc?file=" + HistoryPage.encoded(path);
    }

    public String trend(String figure) {
        return "../trend?plan="
                + HistoryPage.encoded(entry.plan())
                + "&figure="
                + HistoryPage.encoded(figure);
    }
}
