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
    public Running start(CaseSetup ground) throws IOException {
        int threads = ground.vary().between("threads", 3, 6);
        int millis = ground.vary().between("callMs", 12, 30);
        DownstreamClient downstream = ground.downstream();
        ExecutorService inner = Executors.newFixedThreadPool(threads);
        ground.closing(inner::shutdownNow);
        return ground.serve(query ->
                Waiting.forResult(
                        inner.submit(() -> {
                            downstream.await(millis);
                            return "ok\n";
                        })));
    }
}
