package dev.jdyno.cli;

import dev.jdyno.cli.options.AtRange;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.WatchReport;
import dev.jdyno.watch.DayReader;
import dev.jdyno.watch.RangeSummary;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The options of `diagnose` for a time that `jdyno watch` has recorded.
final class DiagnoseAt {
    private static final List<String> OF_A_JVM =
            List.of(
                    "--files",
                    "--duration",
                    "--dumps",
                    "--access-log",
                    "--jmx",
                    "--headroom",
                    "--stages",
                    "--force",
                    "--metrics",
                    "--no-metrics",
                    "--improve",
                    "--frames",
                    "--out");

    @Option(
            names = "--at",
            paramLabel = "FROM..TO",
            description =
                    "Summarise the minutes of this time from the day files of jdyno watch: which"
                            + " bottleneck for how many minutes, averages, and how far each service"
                            + " was from its first limit. 14:05..14:20 is the last such time;"
                            + " 2026-11-29T14:05..14:20 names the day.")
    private @Nullable String at;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Folder of the day files (default: jdyno-out/watch).")
    private @Nullable Path from;

    boolean isGiven() {
        return at != null || from != null;
    }

    int call(CommandSpec spec, OutputOptions output, Problems problems) {
        ZoneId zone = ZoneId.systemDefault();
        if (at == null) {
            problems.add("--from", "is given without --at", "write --at 14:05..14:20");
        }
        if (spec.commandLine().getParseResult().hasMatchedPositional(0)) {
            problems.add("PID", "cannot be given with --at", "give one of the two");
        }
        List<String> known =
                OF_A_JVM.stream().filter(o -> spec.optionsMap().containsKey(o)).toList();
        OptionTexts.refuse(
                spec, known, "does not belong to a summary of minutes", "leave it out", problems);
        Optional<AtRange> range =
                Optional.ofNullable(at)
                        .flatMap(text -> AtRange.of(text, Instant.now(), zone, problems));
        problems.throwIfAny();
        AtRange wanted = range.orElseThrow();
        Path folder = from == null ? WatchCommand.FOLDER : from;
        DayReader.Found found = DayReader.read(folder, wanted.from(), wanted.to());
        if (found.minutes().isEmpty()) {
            throw UserError.usage(
                    "there is no minute of " + at + " in " + folder,
                    found.files() == 0
                            ? "it has no day file of that day"
                            : "its day files of that day have none, and lines that cannot be read: "
                                    + found.skipped().damaged(),
                    "give the time and the folder of a jdyno watch; a minute is written at its end");
        }
        List<WatchedRange> ranges =
                found.minutes().entrySet().stream()
                        .map(e ->
                                RangeSummary.withHeadroom(
                                        e.getKey(), wanted.from(), wanted.to(), e.getValue()))
                        .toList();
        var out = spec.commandLine().getOut();
        out.print(
                output.json
                        ? WatchReport.json(ranges, found.skipped())
                        : WatchReport.text(ranges, found.skipped(), zone));
        out.flush();
        return 0;
    }
}
