package dev.jdyno.report;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.UserError;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// `report.html`: the finished run as one file that opens anywhere, without a network.
///
/// Every text of the target is escaped by the template engine for the place where it stands; the
/// page's own policy allows no other script than its two.
public final class HtmlReport {
    private static final TemplateEngine TEMPLATES =
            TemplateEngine.createPrecompiled(
                    null,
                    ContentType.Html,
                    HtmlReport.class.getClassLoader(),
                    "dev.jdyno.report.templates");

    /// Characters that a browser or an editor would obey rather than show: control characters and
    /// the marks that turn the writing direction. No template or script has any.
    private static final Pattern OBEYED =
            Pattern.compile("[\\p{Cntrl}\\u202a-\\u202e\\u2066-\\u2069&&[^\\n\\t]]");

    private HtmlReport() {}

    /// Writes the page; links the raw evidence that lies beside `file` by then.
    ///
    /// @throws UserError when the file cannot be written
    public static void write(RunResult result, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        List<EvidenceFile> files = folder == null ? List.of() : EvidenceFile.in(folder);
        try {
            Files.writeString(file, render(result, files));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e),
                            "give a folder with room that you may write to")
                    .causedBy(e);
        }
    }

    static String render(RunResult result, List<EvidenceFile> files) {
        var out = new StringOutput(200_000);
        TEMPLATES.render("result.jte", new ResultPage(result, files), out);
        return OBEYED.matcher(out.toString()).replaceAll("");
    }
}
