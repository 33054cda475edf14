package dev.jdyno.lab.perf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs the calls of one request to other services, sequentially or in parallel.
final class Calls {
    private final ExecutorService callers =
            Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "caller");
                thread.setDaemon(true);
                return thread;
            });

    /// A call that returns when the reply has arrived.
    @FunctionalInterface
    interface Call {
        void await() throws IOException;
    }

    /// Runs the calls and returns when all are answered.
    void await(List<Call> calls, boolean parallel) throws IOException, InterruptedException {
        if (parallel) {
            atOnce(calls);
            return;
        }
        for (Call call : calls) {
            call.await();
        }
    }

    private void atOnce(List<Call> calls) throws IOException, InterruptedException {
        List<Future<?>> underWay = new ArrayList<>();
        for (Call call : calls) {
            Callable<Boolean> task =
                    () -> {
                        call.await();
                        return true;
                    };
            underWay.add(callers.submit(task));
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
