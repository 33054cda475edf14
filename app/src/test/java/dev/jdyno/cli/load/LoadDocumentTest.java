package dev.jdyno.cli.load;

import dev.jdyno.cli.GoldenFile;
import dev.jdyno.load.ErrorSeconds;
import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.Detours;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.LoadForm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// The complete document of `jdyno load --json`. Its figures are invented.
class LoadDocumentTest {
    private static final Path FOLDER = Path.of("src/test/resources/cli/load");

    private static Histogram histogram(long... nanos) {
        var h = new Histogram(3_600_000_000_000L, 3);
        for (long n : nanos) {
            h.recordValue(n);
        }
        return h;
    }

    private static LoadWindow window(
            Map<String, Long> errors,
            List<FailureCount> failures,
            Histogram sendError,
            Map<String, LoadWindow.NamedRequests> named) {
        return new LoadWindow(
                0,
                10_000_000_000L,
                9_990_000_000L,
                histogram(1_500_000, 2_500_000, 9_000_000),
                histogram(1_400_000, 2_400_000, 3_000_000),
                sendError,
                histogram(200_000),
                histogram(),
                1000,
                errors,
                failures,
                Map.of(200, 990L, 302, 10L, 503, 4L),
                123_456,
                65_432,
                7,
                3,
                2,
                named,
                5,
                new Detours(1, 6, 4, 9, histogram(700_000)),
                new LoadWindow.Connections(16, 1, 1_000_000),
                new ClientUse(List.of(), 3.2, 12.5, 0, 1000, 40));
    }

    private static LoadReport report(
            Optional<RateProfile> rate,
            Optional<Workload> workload,
            LoadWindow total,
            LoadReport.End end) {
        var builder = LoadSpec.to(URI.create("http://127.0.0.1:8080/a?token=secret")).loops(2);
        workload.ifPresent(builder::workload);
        var spec = builder.build();
        var plan =
                new LoadPlan(
                        spec,
                        16,
                        Duration.ZERO,
                        rate,
                        Arrivals.POISSON,
                        Duration.ofSeconds(10),
                        Duration.ZERO);
        return new LoadReport(plan, "epoll", total, end, 1);
    }

    private static void assertGolden(String name, LoadReport report, ErrorSeconds errors)
            throws IOException {
        GoldenFile.assertMatches(
                FOLDER.resolve(name + ".json"),
                JsonDocument.text(LoadForm.of(report, report.validity(0.001, false), errors))
                        + "\n");
    }

    @Test
    void writesDocumentOfClosedRunWithoutErrors() throws IOException {
        var total = window(Map.of(), List.of(), histogram(), Map.of());

        assertGolden(
                "closed",
                report(Optional.empty(), Optional.empty(), total, LoadReport.End.WHOLE),
                new ErrorSeconds());
    }

    @Test
    void writesDocumentOfOpenRunThatGaveUpAfterErrors() throws IOException {
        var total =
                window(
                        Map.of("status", 4L, "connect", 2L),
                        List.of(
                                new FailureCount(
                                        "status",
                                        FailureReason.CONNECTION_REFUSED,
                                        4,
                                        Optional.of("HTTP 503")),
                                new FailureCount(
                                        "connect",
                                        FailureReason.CONNECTION_RESET,
                                        2,
                                        Optional.empty())),
                        histogram(12_000, 90_000),
                        Map.of(
                                "search",
                                new LoadWindow.NamedRequests(600, 4, histogram(2_000_000)),
                                "buy",
                                new LoadWindow.NamedRequests(400, 2, histogram(3_000_000))));
        var errors = new ErrorSeconds();
        errors.window(total, total);

        assertGolden(
                "open",
                report(
                        Optional.of(RateProfile.parse("100/s")),
                        Optional.empty(),
                        total,
                        LoadReport.End.GIVEN_UP),
                errors);
    }

    @Test
    void writesDocumentOfReplayedLog() throws IOException {
        var total = window(Map.of(), List.of(), histogram(), Map.of());
        var step =
                new Workload.Step(
                        "replay", "${method}", "${path}", Map.of(), "", List.of(), List.of());
        var replay =
                new Workload.Replay(
                        Path.of("access.log"),
                        2,
                        Optional.empty(),
                        new Workload.Unread(
                                100, 1, List.of("line 7: no request"), Optional.empty()));

        assertGolden(
                "replay",
                report(
                        Optional.empty(),
                        Optional.of(
                                new Workload(
                                        List.of(new Workload.Journey("replay", 1, List.of(step))),
                                        Workload.Data.NONE,
                                        Optional.of(replay))),
                        total,
                        LoadReport.End.STOPPED),
                new ErrorSeconds());
    }
}
