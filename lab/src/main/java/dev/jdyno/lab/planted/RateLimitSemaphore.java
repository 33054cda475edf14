package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// A token bucket that is filled at a fixed rate.
final class RateLimitSemaphore implements Case {
    private static final int FILL_EVERY_MILLIS = 10;

    @Override
    public Label label() {
        return Label.of(
                "rate-limit-semaphore",
                "rate-limit",
                20,
                "Semaphore",
                "a semaphore filled at a fixed rate; requests wait for a permit");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int permits = caseSetup.vary().between("permitsEach10Ms", 2, 5);
        Semaphore bucket = new Semaphore(0);
        ScheduledExecutorService filler = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> filling =
                filler.scheduleAtFixedRate(
                        () -> bucket.release(Math.max(0, permits - bucket.availablePermits())),
                        0,
                        FILL_EVERY_MILLIS,
                        TimeUnit.MILLISECONDS);
        caseSetup.closing(() -> {
            filling.cancel(true);
            filler.shutdownNow();
        });
        return caseSetup.serve(query -> {
            bucket.acquire();
            return "ok\n";
        });
    }
}
