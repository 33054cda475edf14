package dev.jdyno.cli;

import dev.jdyno.cli.options.AimOption;
import dev.jdyno.cli.options.FramesOption;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.history.Entries;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.recorded.FilesDiagnosis;
import dev.jdyno.report.DiagnoseReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/// `jdyno diagnose --files`: reads files and observes no JVM.
final class DiagnoseFiles {
    /// Options that need a running JVM.
    private static final List<String> OF_A_JVM =
            List.of(
                    "--duration",
                    "--dumps",
                    "--access-log",
                    "--jmx",
                    "--headroom",
                    "--stages",
                    "--force",
                    "--metrics",
                    "--no-metrics");

    private final CommandSpec spec;
    private final OutputOptions output;
    private final KeepOptions keeping;

    DiagnoseFiles(CommandSpec spec, OutputOptions output, KeepOptions keeping) {
        this.spec = spec;
        this.output = output;
        this.keeping = keeping;
    }

    int call(List<Path> files, FramesOption frames, AimOption improving, Problems problems)
            throws IOException {
        var typed = spec.commandLine().getParseResult();
        if (typed.hasMatchedPositional(0)) {
            problems.add("PID", "cannot be given with --files", "give one of the two");
        }
        OF_A_JVM.stream()
                .filter(typed::hasMatchedOption)
                .forEach(o ->
                        problems.add(
                                o,
                                "needs a running JVM",
                                o.equals("--access-log")
                                        ? "give the log with --files"
                                        : "leave it out"));
        Recommendations.Aim aim = improving.aim(problems);
        problems.throwIfAny();
        Instant startedAt = Instant.now();
        FilesDiagnosis.Seen seen = FilesDiagnosis.read(files, Frames.with(frames.file()));
        DiagnoseResult result =
                new DiagnoseResult(
                        seen.recording(),
                        seen.inFlight(),
                        seen.throughput(),
                        Judge.rankingBy(aim).ofFiles(seen.recording(), seen.inFlight()),
                        Optional.empty(),
                        Optional.empty(),
                        seen.files());
        var out = spec.commandLine().getOut();
        out.print(output.json ? DiagnoseReport.json(result) : DiagnoseCommand.text(result));
        out.flush();
        Optional<Path> folder =
                output.out().map(o -> OutputFolder.create(Optional.of(o), "diagnose"));
        if (folder.isPresent()) {
            DiagnoseCommand.write(result, folder.get());
            keeping.keep(
                    startedAt,
                    OptionTexts.typed(spec),
                    folder,
                    Path.of(""),
                    spec.commandLine().getErr(),
                    origin -> Entries.of(result, "files", origin));
        }
        return 0;
    }
}
