package dev.jdyno.cli.gc;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.fleet.GcFleet;
import dev.jdyno.measure.gc.GcIllness;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.report.Golden;
import dev.jdyno.report.json.JsonDocument;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcFleetTest {
    private static final GcDiagnosis FULL =
            new GcDiagnosis(
                    GcIllness.FULL_GC,
                    GcDiagnosis.Severity.CRITICAL,
                    "it says",
                    "why",
                    List.of(),
                    List.of(),
                    "",
                    Optional.empty());

    @Test
    void documentOmitsFiguresMissingInLog() throws IOException {
        var fleet =
                new GcFleet(
                        List.of(
                                new GcFleet.Row(
                                        "a.log",
                                        "g1",
                                        12.5,
                                        3.25,
                                        7,
                                        Optional.of(1.5),
                                        Optional.of(2.0),
                                        Optional.of(30.0),
                                        4,
                                        Optional.of(FULL),
                                        2,
                                        List.of(
                                                new Incomplete(
                                                        "a.log.gz", 17, Incomplete.Kind.CUT))),
                                new GcFleet.Row(
                                        "b.log",
                                        "parallel",
                                        1,
                                        0,
                                        0,
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        0,
                                        Optional.empty(),
                                        0,
                                        List.of())),
                        List.of("c.log is no GC log"));

        Golden.assertMatches("documents/gc-fleet.json", JsonDocument.line(fleet));
    }
}
