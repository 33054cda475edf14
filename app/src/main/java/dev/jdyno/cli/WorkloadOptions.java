package dev.jdyno.cli;

import dev.jdyno.load.LoadSpec;
import dev.jdyno.measure.Problems;
import dev.jdyno.measure.Workload;
import dev.jdyno.measure.Workload.Check;
import dev.jdyno.measure.Workload.Journey;
import dev.jdyno.measure.Workload.RowOrder;
import dev.jdyno.measure.Workload.Step;
import dev.jdyno.plan.DataRows.AccessLog;
import dev.jdyno.plan.WorkloadFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `jdyno load` that make more of it than one request.
final class WorkloadOptions {
    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description =
                    "YAML: journeys with weights, checks, values taken from replies, data; the URL"
                            + " gives the host.")
    private @Nullable Path file;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description =
                    "The requests of an access log (common or combined format), in its order, at"
                            + " the load given here.")
    private @Nullable Path replay;

    @Option(
            names = "--check-status",
            paramLabel = "N",
            description = "A reply with another status is an error.")
    private @Nullable Integer status;

    @Option(
            names = "--check-contains",
            paramLabel = "TEXT",
            description = "A reply without this text in its body is an error.")
    private @Nullable String contains;

    /// Puts the workload, if one is asked for, into the spec.
    void read(Problems problems, String method, LoadSpec.Builder spec) {
        boolean checks = status != null || contains != null;
        if ((file == null ? 0 : 1) + (replay == null ? 0 : 1) + (checks ? 1 : 0) > 1) {
            problems.add(
                    "--workload, --replay, --check-…",
                    "only one of them can say what is sent",
                    "write the checks into the workload");
        } else if (file != null) {
            spec.workload(WorkloadFile.read(file));
        } else if (replay != null) {
            replay(problems, replay, spec);
        } else if (checks) {
            spec.workload(checked(method, spec.build()));
        }
    }

    private static void replay(Problems problems, Path log, LoadSpec.Builder spec) {
        try {
            AccessLog read = AccessLog.read(log);
            if (read.requests().isEmpty()) {
                problems.add(
                        "--replay " + log,
                        "none of its " + read.linesUnread() + " lines is a request",
                        "give a log in the common or combined format");
                return;
            }
            var step =
                    new Step("replay", "${method}", "${path}", Map.of(), "", List.of(), List.of());
            spec.workload(
                    new Workload(
                            List.of(new Journey("replay", 1, List.of(step))),
                            read.requests(),
                            RowOrder.SEQUENTIAL));
        } catch (IOException e) {
            problems.add("--replay " + log, "cannot read it: " + e, "give a file that exists");
        }
    }

    private Workload checked(String method, LoadSpec spec) {
        List<Check> checks = new ArrayList<>();
        if (status != null) {
            checks.add(new Check.Status(status));
        }
        if (contains != null) {
            checks.add(new Check.Contains(contains));
        }
        URI url = spec.url();
        String path =
                url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        var step =
                new Step(
                        "request", method, target, Map.of(), spec.body().text(), checks, List.of());
        return new Workload(
                List.of(new Journey("request", 1, List.of(step))), List.of(), RowOrder.SEQUENTIAL);
    }
}
