package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.HistoryReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Print stored results as JSON lines or CSV.")
final class ExportCommand implements Callable<Integer> {
    @Option(
            names = "--format",
            paramLabel = "jsonl|csv",
            description = "JSON lines (default), or CSV with one row for each figure.")
    private String format = "jsonl";

    @Mixin private StoreOption store = new StoreOption();

    @Mixin private FilterOptions filter = new FilterOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (!format.equals("jsonl") && !format.equals("csv")) {
            throw UserError.usage(
                    "--format " + format + " is not known",
                    "results are exported as JSON lines or CSV",
                    "write --format jsonl or --format csv");
        }
        Filter wanted = filter.filter();
        History history = store.open();
        List<Entry> entries = history.list(wanted).reversed();
        out.print(
                format.equals("csv")
                        ? HistoryReport.csv(entries)
                        : HistoryReport.jsonLines(
                                entries.stream().map(e -> history.entry(e.id())).toList()));
        out.flush();
        return 0;
    }
}
