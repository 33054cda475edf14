package dev.jdyno.report.html;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A file of raw evidence in the folder of the report.
///
/// @param name file name in the run's folder; the link has the same text
public record EvidenceFile(String name, String says, long bytes) {
    private static final List<EvidenceFile> KNOWN =
            List.of(
                    new EvidenceFile("result.json", "every figure of this page, for scripts", 0),
                    new EvidenceFile("plan.yaml", "the plan as it was run", 0),
                    new EvidenceFile("latency.hlog", "every latency, HdrHistogram log", 0),
                    new EvidenceFile("recording.jfr", "JDK Flight Recorder: open it in JMC", 0),
                    new EvidenceFile("gc.log", "the collector's log: jdyno gc gc.log", 0));

    /// The documented evidence files (docs/contract.md) that exist in the folder.
    static List<EvidenceFile> in(Path folder) {
        List<EvidenceFile> found = new ArrayList<>();
        for (var known : KNOWN) {
            Path file = folder.resolve(known.name);
            if (Files.isRegularFile(file)) {
                try {
                    found.add(new EvidenceFile(known.name, known.says, Files.size(file)));
                } catch (IOException e) {
                    throw UserError.usage(
                                    "cannot read " + file,
                                    String.valueOf(e),
                                    "make the run's folder readable")
                            .causedBy(e);
                }
            }
        }
        return found;
    }
}
