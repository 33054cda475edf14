package dev.jdyno.lab.perf;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// `/calls[?parallel=true]`: analyse, three calls one after another or all at once, process (E13).
///
/// `analyse=10` and `process=15` are milliseconds of CPU time, both times `cpuScale=1`; `mall=50`,
/// `product=25` and `goods=100` are milliseconds until the downstream answers.
final class CallsPage implements Page {
    private final ExecutorService callers =
            Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "caller");
                thread.setDaemon(true);
                return thread;
            });
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
        double[] calls = {
            query.millis("mall", 50), query.millis("product", 25), query.millis("goods", 100)
        };
        boolean parallel = query.flag("parallel");

        burn.millis(analyse);
        if (parallel) {
            callAtOnce(calls);
        } else {
            callInTurn(calls);
        }
        burn.millis(process);
        return "cpu=" + (analyse + process) + " parallel=" + parallel + "\n";
    }

    private void callInTurn(double[] calls) throws IOException {
        for (double millis : calls) {
            downstream.await(millis);
        }
    }

    private void callAtOnce(double[] calls) throws IOException, InterruptedException {
        List<Future<?>> underWay = new ArrayList<>();
        for (double millis : calls) {
            underWay.add(
                    callers.submit(() -> {
                        downstream.await(millis);
                        return millis;
                    }));
        }
        for (Future<?> call : underWay) {
            try {
                call.get();
            } catch (ExecutionException e) {
                throw new IOException("a parallel call failed", e.getCause());
            }
        }
    }
}
