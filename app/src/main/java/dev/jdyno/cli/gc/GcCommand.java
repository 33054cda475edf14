package dev.jdyno.cli.gc;

import dev.jdyno.cli.heap.SizingOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.cli.terminal.Terminal;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.cli.terminal.Wrap;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.gclog.EventExport;
import dev.jdyno.gclog.EventJsonLines;
import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.LogFiles;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.fleet.GcFleet;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.GcJson;
import dev.jdyno.report.json.HeapAdviceForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.terminal.GcComparisonLines;
import dev.jdyno.report.terminal.GcFleetLines;
import dev.jdyno.report.terminal.GcText;
import dev.jdyno.report.words.memory.GcPredictions;
import dev.jdyno.report.words.memory.HeapAdviceText;
import dev.jdyno.sizing.HeapReading;
import dev.jdyno.sizing.SizingWishes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "gc",
        mixinStandardHelpOptions = true,
        description = {
            "Read GC logs of any HotSpot version and collector.",
            "One log (with its rotated files) is analysed, two are compared, the logs of a"
                    + " directory are ranked, worst first."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno gc gc.log --qps 350",
            "  jdyno gc before.log after.log",
            "  jdyno gc /var/log/jvms",
            "  jdyno gc gc.log --follow",
            "  zcat gc.log.gz | jdyno gc - --json"
        })
public final class GcCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "The log, a directory of logs, or - for standard input.")
    private List<Path> files = List.of();

    @Mixin PlainOutput output = new PlainOutput();

    @Option(
            names = "--qps",
            paramLabel = "N",
            description =
                    "Requests per second that the JVM served; they give the bytes that a request"
                            + " allocates.")
    private @Nullable Double qps;

    @Option(
            names = "--advise",
            description =
                    "Advise a heap size that meets the goal, and show the cost of other"
                            + " sizes.")
    private boolean advise;

    @Option(
            names = "--slo",
            paramLabel = "GOAL",
            description =
                    "pause=50ms (also counts the pauses above it), gc=5%% (of the time, for"
                            + " --advise) or both with a comma.")
    private @Nullable String slo;

    @Mixin private SizingOptions sizing = new SizingOptions();

    @Option(
            names = "--csv",
            paramLabel = "OUT",
            description = "Also write every event of one log as a row of this file.")
    private @Nullable Path csv;

    @Option(
            names = "--jsonl",
            paramLabel = "OUT",
            description = "The same as JSON Lines, including phases and age tables.")
    private @Nullable Path jsonl;

    @Option(
            names = "--follow",
            description =
                    "Keep reading while the log is written, also across its rotation, and print a"
                            + " line every few seconds. Ctrl-C ends this and prints the whole"
                            + " summary.")
    private boolean follow;

    @Option(
            names = "--html",
            paramLabel = "OUT",
            description = "Write a page with charts too: one file that needs no network.")
    private @Nullable Path html;

    @Spec private CommandSpec spec;

    /// The command for a command line that consists of files only. It is parsed here, because
    /// reading the options' annotations takes longer than reading a log of ten megabytes.
    ///
    /// @param args command line including the verb
    /// @return empty if the command line has anything else
    public static Optional<GcCommand> ofFiles(String... args) {
        boolean filesAlone =
                args.length > 1
                        && args[0].equals("gc")
                        && Stream.of(args).allMatch(a -> !a.startsWith("-") || a.equals("-"));
        if (!filesAlone) {
            return Optional.empty();
        }
        try {
            var command = new GcCommand();
            command.files = Stream.of(args).skip(1).map(Path::of).toList();
            return Optional.of(command);
        } catch (InvalidPathException e) {
            // The option parser reports this mistake.
            return Optional.empty();
        }
    }

    @Override
    public Integer call() throws IOException {
        return run(spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    /// @return the exit code (docs/contract.md)
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (qps != null && !(qps > 0)) {
            throw UserError.usage("--qps " + qps, "a rate is above 0", "give requests per second");
        }
        HeapGoal goal = HeapGoal.parse(slo == null ? "" : slo);
        double goalMs = goal.pauseMs().orElse(0.0);
        if (files.size() == 1 && files.getFirst().toString().equals("-")) {
            if (follow) {
                throw UserError.usage(
                        "--follow and - do not go together",
                        "standard input is read to its end in any case",
                        "give the file, or leave --follow out");
            }
            one(out, goal, read(goalMs, also -> GcLog.read("-", System.in, also)));
            return 0;
        }
        List<LogFiles.Log> logs = LogFiles.find(files);
        boolean directory = files.stream().anyMatch(Files::isDirectory);
        if (!directory && logs.size() == 1) {
            if (follow) {
                followed(out, err, goal, logs.getFirst());
            } else {
                one(out, goal, read(goalMs, also -> GcLog.read(logs.getFirst().parts(), also)));
            }
            return 0;
        }
        if (csv != null || jsonl != null || html != null || advise || follow) {
            throw UserError.usage(
                    "--csv, --jsonl, --html, --advise and --follow take one log",
                    logs.size() + " were given",
                    "run them one by one");
        }
        GcLog.Options options = new GcLog.Options(goalMs, _ -> {});
        if (!directory && logs.size() == 2) {
            Analysis before = GcLog.read(logs.getFirst().parts(), options);
            Analysis after = GcLog.read(logs.getLast().parts(), options);
            GcComparison compared =
                    GcComparison.of(
                            before,
                            Diagnoses.of(before, rate()),
                            after,
                            Diagnoses.of(after, rate()));
            if (output.json) {
                out.println(GcJson.comparison(compared));
            } else {
                print(out, GcComparisonLines.of(compared));
            }
            return 0;
        }
        GcFleet fleet = GcFleet.read(logs, options, rate());
        if (output.json) {
            out.println(JsonDocument.line(fleet));
        } else {
            GcFleetLines.of(fleet).stream().map(Printable::line).forEach(out::println);
        }
        return 0;
    }

    private interface Source {
        Analysis read(GcLog.Options options) throws IOException;
    }

    private Analysis read(double goalMs, Source source) throws IOException {
        try (Writer rows = writer(csv, "--csv");
                Writer documents = writer(jsonl, "--jsonl")) {
            Consumer<GcEvent> export = csv == null ? _ -> {} : new EventExport(rows);
            if (jsonl != null) {
                export = export.andThen(new EventJsonLines(documents));
            }
            return source.read(new GcLog.Options(goalMs, export));
        }
    }

    private static Writer writer(@Nullable Path target, String option) throws IOException {
        return target == null
                ? Writer.nullWriter()
                : new OutputStreamWriter(
                        new BufferedOutputStream(
                                PrivateFiles.create(PrivateFiles.named(target, option))),
                        StandardCharsets.UTF_8);
    }

    /// Follows a log until the first Ctrl-C. The summary is written before the JVM exits.
    private void followed(PrintWriter out, PrintWriter err, HeapGoal goal, LogFiles.Log log)
            throws IOException {
        try (Interrupt interrupt = new Interrupt()) {
            GcFollow following = new GcFollow(err, interrupt::isSet);
            Analysis a =
                    read(goal.pauseMs().orElse(0.0), options -> following.follow(log, options));
            one(out, goal, a);
            out.flush();
        }
    }

    private void one(PrintWriter out, HeapGoal goal, Analysis a) throws IOException {
        List<GcDiagnosis> diagnoses = GcPredictions.of(a, Diagnoses.of(a, rate()));
        boolean withheld = Diagnoses.isWithheld(a);
        if (html != null) {
            HtmlReport.write(
                    a, diagnoses, rate(), Version.text(), PrivateFiles.named(html, "--html"));
        }
        if (output.json) {
            String document = GcJson.write(a, rate(), diagnoses, withheld);
            out.println(advise ? withAdvice(document, goal, a) : document);
        } else {
            print(out, GcText.lines(a, rate(), diagnoses, withheld));
            if (advise) {
                HeapReading read = HeapReading.of(a);
                HeapAdvice advice = sizing.parse().advice(read, goal, Optional.empty());
                HeapAdviceText.lines(read, goal, advice, rate()).forEach(out::println);
            }
        }
    }

    private static void print(PrintWriter out, List<String> lines) {
        List<String> clean = lines.stream().map(Printable::line).toList();
        (Terminal.isInteractive() ? Wrap.at(Wrap.WIDTH, clean) : clean).forEach(out::println);
    }

    private String withAdvice(String document, HeapGoal goal, Analysis a) {
        HeapReading read = HeapReading.of(a);
        SizingWishes wishes = sizing.parse();
        HeapAdvice advice = wishes.advice(read, goal, Optional.empty());
        var tree = (ObjectNode) JsonMapper.shared().readTree(document);
        tree.set(
                "advice",
                JsonDocument.tree(HeapAdviceForm.of(read, goal, advice, wishes.container())));
        return tree.toString();
    }

    private OptionalDouble rate() {
        return qps == null ? OptionalDouble.empty() : OptionalDouble.of(qps);
    }
}
