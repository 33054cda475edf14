package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.atomic.AtomicLong;

/// Code that calls System.gc() at regular intervals.
final class GcExplicit implements Case {
    private static final int LIVE_PIECES = 30_000;

    @Override
    public Label label() {
        return Label.of(
                        "gc-explicit",
                        "gc-explicit",
                        20,
                        "System.gc",
                        "System.gc() once in so many requests")
                .jvm("-XX:+UseParallelGC", "-Xms256m", "-Xmx256m");
    }

    @Override
    @SuppressWarnings("ExplicitGC") // the planted problem
    public Running start(CaseSetup caseSetup) {
        int every = caseSetup.vary().between("everyRequests", 8, 30);
        byte[][] live = new byte[LIVE_PIECES][];
        for (int i = 0; i < live.length; i++) {
            live[i] = Garbage.array(1024);
        }
        AtomicLong requests = new AtomicLong();
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(0.5);
            if (requests.incrementAndGet() % every == 0) {
                System.gc();
            }
            return live.length + "\n";
        });
    }
}
