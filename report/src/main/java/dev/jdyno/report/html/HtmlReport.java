package dev.jdyno.report.html;

import dev.jdyno.compare.Compared;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.tune.Tuned;
import dev.jdyno.warm.Warmed;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Writes a finished run or a GC log as one HTML file that opens without a network.
///
/// The template engine escapes every text of the target for its place in the page. The policy of
/// the page allows its own scripts only.
public final class HtmlReport {
    private static final TemplateEngine TEMPLATES =
            TemplateEngine.createPrecompiled(
                    null,
                    ContentType.Html,
                    HtmlReport.class.getClassLoader(),
                    "dev.jdyno.report.templates");

    private HtmlReport() {}

    /// Writes the page. It links the raw evidence files that are in the folder of `file` at that
    /// time.
    ///
    /// @throws UserError if the file cannot be written
    public static void write(RunResult result, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        List<EvidenceFile> files = folder == null ? List.of() : EvidenceFile.in(folder);
        write(
                file,
                render(
                        "result.jte",
                        new ResultPage(result, files, Optional.ofNullable(file.getParent()))));
    }

    /// Writes the page of a GC log.
    ///
    /// @param diagnoses problems that the rules found
    /// @param qps requests per second that the log's JVM served
    /// @param version of jdyno
    /// @throws UserError if the file cannot be written
    public static void write(
            Analysis analysis,
            List<GcDiagnosis> diagnoses,
            OptionalDouble qps,
            String version,
            Path file) {
        write(file, render(new GcPage(analysis, diagnoses, qps, version)));
    }

    /// Writes the page of a comparison.
    ///
    /// @throws UserError if the file cannot be written
    public static void write(Compared result, String version, Path file) {
        write(file, render(new ComparePage(result, version)));
    }

    /// Writes the page of a tuning.
    ///
    /// @throws UserError if the file cannot be written
    public static void write(Tuned result, String version, Path file) {
        write(file, render(new TunePage(result, version)));
    }

    /// Writes the page of a warm-up study.
    ///
    /// @throws UserError if the file cannot be written
    public static void write(Warmed result, String version, Path file) {
        write(file, render(new WarmPage(result, version)));
    }

    private static void write(Path file, String page) {
        try {
            PrivateFiles.write(file, page);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e),
                            "give a folder with room that you may write to")
                    .causedBy(e);
        }
    }

    public static String render(HtmlPage page) {
        return render(page.template(), page);
    }

    public static String render(RunResult result, List<EvidenceFile> files) {
        return render("result.jte", new ResultPage(result, files));
    }

    /// Writes the result's texts into a template, with their secrets masked.
    private static final class Masked extends OwaspHtmlTemplateOutput {
        private Masked(TemplateOutput page) {
            super(page);
        }

        @Override
        public void writeUserContent(@Nullable String value) {
            super.writeUserContent(value == null ? null : Secrets.text(value));
        }
    }

    private static String render(String template, Object page) {
        var out = new StringOutput(200_000);
        TEMPLATES.render(template, page, new Masked(out));
        // The templates and scripts contain no characters that control a browser or an editor.
        return Printable.text(out.toString());
    }
}
