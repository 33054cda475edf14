package dev.jdyno.cli;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.GcJson;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.GcText;
import dev.jdyno.heapmodel.HeapGoal;
import dev.jdyno.measure.UserError;
import dev.jdyno.report.HtmlReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "gc",
        mixinStandardHelpOptions = true,
        description = "Read GC logs of any HotSpot version and collector.",
        footer = {"", "Example: jdyno gc gc.log --qps 350"})
final class GcCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The log.")
    private List<Path> files = List.of();

    @Option(names = "--json", description = "Print one JSON document (schema jdyno/gc/1).")
    private boolean json;

    @Option(
            names = "--qps",
            paramLabel = "N",
            description =
                    "Requests per second the JVM served: gives the bytes a request allocates.")
    private @Nullable Double qps;

    @Option(
            names = "--html",
            paramLabel = "OUT",
            description = "Write a page with charts too: one file that needs no network.")
    private @Nullable Path html;

    @Option(
            names = "--advise",
            description = "Say what heap size would meet the goal, and what others would cost.")
    private boolean advise;

    @Option(
            names = "--slo",
            paramLabel = "GOAL",
            description = "For --advise: pause=50ms, gc=5% (of the time) or both with a comma.")
    private @Nullable String slo;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        OptionalDouble rate = qps == null ? OptionalDouble.empty() : OptionalDouble.of(qps);
        if (advise && json) {
            throw UserError.usage(
                    "--advise and --json do not go together",
                    "the advice is text",
                    "run it once with each");
        }
        HeapGoal goal = HeapAdviceText.goal(slo == null ? "" : slo);
        Analysis analysis = GcLog.read(files, GcLog.Options.DEFAULT);
        if (html != null) {
            HtmlReport.write(analysis, rate, Version.text(), html);
        }
        if (json) {
            out.println(GcJson.write(analysis, rate));
        } else {
            GcText.lines(analysis, rate).forEach(out::println);
            if (advise) {
                HeapAdviceText.lines(analysis, goal, rate).forEach(out::println);
            }
        }
        return 0;
    }
}
