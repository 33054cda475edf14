package dev.jdyno.cli.gc;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.report.html.GcPage;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.words.memory.GcPredictions;
import java.io.InputStream;
import java.util.OptionalDouble;

/// Renders the page of a GC log, as `jdyno gc --html` does.
public final class GcPages {
    private GcPages() {}

    /// @param source name of the log
    /// @throws dev.jdyno.measure.text.UserError if it is not a GC log
    public static String html(String source, InputStream log) {
        Analysis a = GcLog.read(source, log, GcLog.Options.DEFAULT);
        return HtmlReport.render(
                new GcPage(
                        a,
                        GcPredictions.of(a, Diagnoses.of(a, OptionalDouble.empty())),
                        OptionalDouble.empty(),
                        Version.text()));
    }
}
