package dev.jdyno.cli.gc;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.report.html.GcPage;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.words.GcPredictions;
import java.io.InputStream;
import java.util.OptionalDouble;

/// The page of a GC log, as `jdyno gc --html` writes it.
public final class GcPages {
    private GcPages() {}

    /// @param source its name
    /// @throws dev.jdyno.measure.text.UserError when it is no GC log
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
