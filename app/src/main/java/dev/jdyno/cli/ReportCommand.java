package dev.jdyno.cli;

import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.cli.terminal.Terminal;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.EntryFile;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.stacks.StackForm;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.StagesText;
import dev.jdyno.report.words.TextLines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = {
            "Print the result of a run again, or write its stacks for other profilers' viewers.",
            "",
            "Reads the result.json that jdyno run wrote, and measures nothing."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno report jdyno-out/20261127-163900-shop",
            "  jdyno report DIR --export collapsed | flamegraph.pl --color=java > cpu.svg",
            "  jdyno report DIR --export pprof --out cpu.pb.gz; go tool pprof -top cpu.pb.gz",
            "  jdyno report DIR --export speedscope --out run.speedscope.json"
        })
final class ReportCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR|RESULT.json",
            description = "The folder of a run, or its result.json.")
    private Path of = Path.of("");

    @Option(
            names = "--export",
            paramLabel = "collapsed|pprof|speedscope",
            description =
                    "Write the stacks of the flame graphs in this form. collapsed: one line per"
                            + " stack, the input of flamegraph.pl. pprof: gzipped profile.proto."
                            + " speedscope: its JSON, with all profiles that match --kind and"
                            + " --load.")
    private @Nullable StackForm export;

    @Option(
            names = "--kind",
            paramLabel = "cpu|wall",
            description = "Export only this kind (default: cpu; speedscope: both).")
    private Profile.@Nullable Kind kind;

    @Option(
            names = "--load",
            paramLabel = "N",
            description =
                    "Export only the profile with N requests in flight (default: the highest load;"
                            + " speedscope: all).")
    private @Nullable Integer load;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Export to this file (default: standard output; pprof needs a file).")
    private @Nullable Path out;

    @Mixin PlainOutput output = new PlainOutput();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        check();
        Path file = EntryFile.result(of);
        RunResult result = ResultJson.read(file);
        if (export == null) {
            print(result, Objects.requireNonNullElse(file.getParent(), Path.of(".")));
        } else {
            export(result, file, export);
        }
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void check() {
        var problems = Problems.ofCommand("jdyno report");
        if (export == null && (kind != null || load != null || out != null)) {
            problems.add(
                    "--kind, --load, --out",
                    "belong to --export",
                    "add --export collapsed, pprof or speedscope");
        }
        if (export != null && output.json) {
            problems.add(
                    "--json",
                    "prints the whole result, --export only its stacks",
                    "leave one of them out; --export speedscope is JSON");
        }
        if (export != null && !export.isText() && out == null) {
            problems.add(
                    "--export " + key(export),
                    "the file is binary",
                    "give --out FILE, such as cpu.pb.gz");
        }
        problems.throwIfAny();
    }

    private void print(RunResult result, Path folder) {
        PrintWriter to = spec.commandLine().getOut();
        if (output.json) {
            to.print(ResultJson.toString(result));
            return;
        }
        to.print(
                new TerminalReport(false, Terminal.columns().orElse(TextLines.WIDTH))
                        .verdict(result, Optional.of(folder)));
        to.print(StagesText.of(result.insight().stages()));
    }

    private void export(RunResult result, Path file, StackForm form) {
        List<Profile> chosen =
                form.chosen(
                        result.insight(),
                        Optional.ofNullable(kind),
                        load == null ? OptionalInt.empty() : OptionalInt.of(load));
        if (chosen.isEmpty()) {
            throw noStacks(result.insight(), file);
        }
        byte[] content = content(result, file, form, chosen);
        if (out == null) {
            spec.commandLine().getOut().print(new String(content, StandardCharsets.UTF_8));
        } else {
            write(content, out);
        }
        if (!output.quiet) {
            PrintWriter err = spec.commandLine().getErr();
            chosen.forEach(
                    p -> err.println(StackForm.title(p) + ": " + p.root().samples() + " samples"));
            err.flush();
        }
    }

    private static byte[] content(
            RunResult result, Path file, StackForm form, List<Profile> chosen) {
        try {
            return form.content(result.jdyno(), chosen);
        } catch (IllegalArgumentException | ArithmeticException damaged) {
            throw UserError.usage(
                            file + " has no stacks that can be written",
                            String.valueOf(damaged.getMessage()),
                            "give the result.json that `jdyno run` wrote, unchanged")
                    .causedBy(damaged);
        } catch (IOException impossible) {
            // The content is made in memory.
            throw new IllegalStateException(impossible);
        }
    }

    private static void write(byte[] content, Path to) {
        try (OutputStream file = PrivateFiles.create(PrivateFiles.named(to, "--out"))) {
            file.write(content);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + to,
                            String.valueOf(e),
                            "give --out a file in a folder with room that you may write to")
                    .causedBy(e);
        }
    }

    private static UserError noStacks(Insight insight, Path file) {
        if (insight.profiles().isEmpty()) {
            return UserError.usage(
                    file + " has no stacks",
                    "the run took no flame graphs, for example because of --no-profile or because"
                            + " no JVM was observed",
                    "run it again with the service as target and without --no-profile");
        }
        return UserError.usage(
                file + " has no such stacks",
                "it has "
                        + insight.profiles().stream()
                                .map(p -> p.kind().key() + " at " + p.concurrency())
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + " in flight",
                "give one of these by --kind and --load");
    }

    private static String key(StackForm form) {
        return form.name().toLowerCase(Locale.ROOT);
    }
}
