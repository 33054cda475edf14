package dev.jdyno.cli.load;

import dev.jdyno.cli.options.LoadOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.load.ErrorSeconds;
import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.LoadForm;
import dev.jdyno.report.terminal.LoadSummary;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Only load a URL, as wrk, ab and k6 do.",
            "Without --rate the model is closed: each connection sends when its reply has come."
                    + " With --rate it is open: requests arrive whether the server keeps up or not,"
                    + " and latency counts from when each was due."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno load http://127.0.0.1:8080/ -c 50 -d 10s",
            "  jdyno load http://127.0.0.1:8080/ -c 100 -r 5000 --arrivals poisson -d 1m --json",
            "  jdyno load http://127.0.0.1:8080/order -m POST -b @order.json"
                    + " -H 'Content-Type: application/json' -n 10000",
            "  jdyno load http://127.0.0.1:8080/ --replay access.log --speed 2",
            "  jdyno load grpc://127.0.0.1:9090/shop.Prices/price --data '{\"id\": 1}' -c 2"
                    + " --streams 25"
        })
public final class LoadCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @Mixin private LoadOptions options;

    @Option(
            names = "--max-errors",
            paramLabel = "PERCENT",
            description =
                    "A larger share of failed requests makes the result invalid (exit code"
                            + " 3). Default: ${DEFAULT-VALUE}")
    private String maxErrors = "1%";

    @Option(
            names = "--anyway",
            description = "Do not call the result invalid when the client itself was the limit.")
    private boolean anyway;

    @Option(
            names = "--stop-file",
            paramLabel = "FILE",
            description = "Stop within 1 s when this file appears.")
    private @Nullable Path stopFile;

    @Option(
            names = "--hlog",
            paramLabel = "FILE",
            description = "Write the latency of each second as an HdrHistogram log.")
    private @Nullable Path hlog;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write a row per second.")
    private @Nullable Path csv;

    // The part of the load that this process sends, if several processes share a load; see
    // LoadProcesses.
    @Option(names = "--part", hidden = true, converter = PartOf.class)
    private @Nullable Part part;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(names = "--no-color", description = "Plain text, also on a terminal.")
    private boolean noColor;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        double errorLimit = options.share("--max-errors", maxErrors);
        LoadPlan plan = options.plan().fromEnoughAddresses();
        PrintWriter out = spec.commandLine().getOut();
        if (part != null) {
            return carry(plan.part(part), out);
        }
        PrintWriter err = spec.commandLine().getErr();
        boolean color = !noColor && System.getenv("NO_COLOR") == null;
        var progress = LoadProgress.of(err, plan, quiet, color);
        if (!quiet) {
            plan.spec()
                    .workload()
                    .flatMap(Workload::replay)
                    .ifPresent(r -> LoadSummary.unread(r.unread()).forEach(err::println));
        }
        Instant startedAt = Instant.now();
        try (var interrupt = new Interrupt();
                var others = OtherLoads.begin(plan.spec().url(), plan.spec().unixSocket(), err);
                var files =
                        LoadFiles.open(
                                startedAt, Optional.ofNullable(hlog), Optional.ofNullable(csv))) {
            var errors = new ErrorSeconds();
            LoadReport report =
                    run(
                            plan,
                            options.processes(),
                            () -> mustStop(interrupt),
                            progress.and(files).and(errors));
            progress.end();
            Validity validity = report.validity(errorLimit, anyway).with(others.seen());
            out.println(
                    json
                            ? JsonDocument.text(LoadForm.of(report, validity, errors))
                            : new LoadSummary(report, validity, errors).text());
            return exitCode(report, validity, interrupt, err);
        }
    }

    private LoadReport run(
            LoadPlan plan, int processes, BooleanSupplier stop, LoadRun.Listener listener) {
        if (processes == 1) {
            return new LoadRun(plan, NanoClock.SYSTEM, stop, listener).run();
        }
        CommandLine root = spec.commandLine();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        List<String> given = root.getParseResult().originalArgs();
        try (var shared = new LoadProcesses(plan, processes, given)) {
            return shared.run(stop, listener);
        }
    }

    private static Integer carry(LoadPlan mine, PrintWriter out) {
        try (var interrupt = new Interrupt()) {
            new LoadPart(System.in, out, interrupt::isSet).run(mine);
            return interrupt.isSet() ? INTERRUPTED : 0;
        }
    }

    /// Reads `0/2`: the first of two parts.
    private static final class PartOf implements ITypeConverter<Part> {
        @Override
        public Part convert(String text) {
            String[] numbers = text.split("/", -1);
            return new Part(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
        }
    }

    private boolean mustStop(Interrupt interrupt) {
        return interrupt.isSet() || (stopFile != null && Files.exists(stopFile));
    }

    private static int exitCode(
            LoadReport report, Validity validity, Interrupt interrupt, PrintWriter err) {
        err.flush();
        if (interrupt.isSet()) {
            return INTERRUPTED;
        }
        if (report.total().requests() == 0 && report.total().errors() > 0) {
            List<FailureCount> failures = report.total().failures();
            throw UserError.target(
                    "no request succeeded",
                    LoadSummary.kinds(report.total().errorKinds())
                            + failures.stream()
                                    .findFirst()
                                    .map(f -> ": " + FailureText.says(f))
                                    .orElse(""),
                    FailureText.adviceForNone(failures, report.plan().spec().isTls())
                            .orElse(
                                    "check what "
                                            + report.plan().spec().address()
                                            + (report.plan().spec().grpc().isPresent()
                                                    ? " answers: call it with grpcurl"
                                                    : " answers: curl -v it")));
        }
        return validity.ok() ? 0 : UserError.Kind.INVALID.exitCode();
    }
}
