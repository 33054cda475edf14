package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Tasks that wait for tasks of the same executor. If all its threads wait, no task makes progress
/// until one times out and does the work itself.
final class PoolStarvationNested implements Case {
    /// Time that a task waits for its subtask.
    private static final int GIVE_UP_MILLIS = 250;

    @Override
    public Label label() {
        return Label.of(
                "pool-starvation-nested",
                "pool-starvation",
                20,
                "",
                "tasks wait for tasks that wait in the same executor's queue");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 4, 8);
        int millis = caseSetup.vary().between("callMs", 5, 15);
        DownstreamClient downstream = caseSetup.downstream();
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        caseSetup.closing(workers::shutdownNow);
        return caseSetup.serve(query -> {
            Future<String> whole = workers.submit(() -> withPart(workers, downstream, millis));
            return Waiting.forResult(whole);
        });
    }

    private static String withPart(ExecutorService workers, DownstreamClient downstream, int millis)
            throws IOException, InterruptedException, ExecutionException {
        Future<String> part =
                workers.submit(() -> {
                    downstream.await(millis);
                    return "ok\n";
                });
        try {
            return part.get(GIVE_UP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            part.cancel(false);
            downstream.await(millis);
            return "ok, late\n";
        }
    }
}
