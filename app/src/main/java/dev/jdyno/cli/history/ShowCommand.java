package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Entry;
import dev.jdyno.report.HistoryReport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Everything that is stored of one result.")
final class ShowCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "ID",
            description = "Id of the result, the beginning of the id, or latest.")
    private String id = "latest";

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Mixin private StoreOption store = new StoreOption();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Entry entry = store.open().entry(id);
        if (json) {
            out.println(HistoryReport.json(entry));
        } else {
            out.print(HistoryReport.show(entry));
        }
        out.flush();
        return 0;
    }
}
