package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Request threads that submit their work to a small pool and wait for it.
final class PoolStarvationInner implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "pool-starvation-inner",
                        "pool-starvation",
                        20,
                        "pool-",
                        "request threads wait for tasks in the queue of a small inner pool")
                .also("thread-pool");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 3, 6);
        int millis = caseSetup.vary().between("callMs", 12, 30);
        DownstreamClient downstream = caseSetup.downstream();
        ExecutorService inner = Executors.newFixedThreadPool(threads);
        caseSetup.closing(inner::shutdownNow);
        return caseSetup.serve(query ->
                Waiting.forResult(
                        inner.submit(() -> {
                            downstream.await(millis);
                            return "ok\n";
                        })));
    }
}
