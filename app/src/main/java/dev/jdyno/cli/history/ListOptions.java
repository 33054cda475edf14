package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.report.HistoryReport;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of `history` and `history list`.
final class ListOptions {
    /// Default number of results, which fits on one screen.
    private static final int SCREEN = 20;

    @Mixin private StoreOption store = new StoreOption();

    @Mixin private FilterOptions filter = new FilterOptions();

    @Option(names = "--all", description = "All results (default: the newest 20).")
    private boolean all;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    int print(PrintWriter out, PrintWriter err) {
        Filter wanted = filter.filter();
        History history = store.open();
        List<Entry> entries = history.list(all ? wanted : wanted.newest(SCREEN));
        long count = history.count(wanted);
        if (json) {
            out.println(HistoryReport.json(entries, count));
        } else {
            out.print(HistoryReport.list(entries, count));
        }
        out.flush();
        err.print(HistoryReport.fromTheFuture(history.fromTheFuture()));
        err.flush();
        return 0;
    }
}
