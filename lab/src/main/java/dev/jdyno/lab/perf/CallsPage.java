package dev.jdyno.lab.perf;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.List;

/// `/calls[?parallel=true]`: analyse, three calls sequentially or in parallel, process (E13).
///
/// `analyse=10` and `process=15` are milliseconds of CPU time, each multiplied by `cpuScale=1`.
/// `mall=50`, `product=25` and `goods=100` are milliseconds until the downstream answers.
final class CallsPage implements Page {
    private final Calls calls = new Calls();
    private final Burn burn;
    private final DownstreamClient downstream;

    CallsPage(Burn burn, DownstreamClient downstream) {
        this.burn = burn;
        this.downstream = downstream;
    }

    @Override
    public String answer(Query query) throws IOException, InterruptedException {
        double scale = query.factor("cpuScale", 1);
        double analyse = query.millis("analyse", 10) * scale;
        double process = query.millis("process", 15) * scale;
        double mall = query.millis("mall", 50);
        double product = query.millis("product", 25);
        double goods = query.millis("goods", 100);
        boolean parallel = query.flag("parallel");

        burn.millis(analyse);
        calls.await(
                List.of(
                        () -> downstream.await(mall),
                        () -> downstream.await(product),
                        () -> downstream.await(goods)),
                parallel);
        burn.millis(process);
        return "cpu=" + (analyse + process) + " parallel=" + parallel + "\n";
    }
}
