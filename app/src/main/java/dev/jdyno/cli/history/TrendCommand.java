package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Point;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.series.Levels;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "trend",
        mixinStandardHelpOptions = true,
        description = "One figure of a plan over time, and where its level changed.")
final class TrendCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PLAN", description = "The name of the plan.")
    private String plan = "";

    @Option(
            names = "--figure",
            paramLabel = "NAME",
            description =
                    "Name such as qps (default), cpuMsPerRequest or p99; history show lists"
                            + " all.")
    private String figure = "qps";

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Mixin private StoreOption store = new StoreOption();

    @Mixin private FilterOptions filter = new FilterOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Point> points = store.open().series(filter.filter().ofPlan(plan), figure);
        Levels levels = Levels.of(points.stream().mapToDouble(Point::value).toArray(), 0);
        if (json) {
            out.println(HistoryReport.json(plan, figure, points, levels));
        } else {
            out.print(HistoryReport.trend(plan, figure, points, levels));
        }
        out.flush();
        return 0;
    }
}
