package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.Map;

/// A monitor inside the service that takes thread dumps all the time.
final class Safepoint implements Case {
    @Override
    public Label label() {
        return Label.of(
                "safepoint",
                "safepoint",
                20,
                "",
                "a thread that dumps all threads in a loop: stops that are no collections");
    }

    @Override
    public Running start(Ground ground) {
        int idleThreads = ground.vary().between("idleThreads", 150, 400);
        for (int i = 0; i < idleThreads; i++) {
            daemon("idle", () -> Thread.sleep(Long.MAX_VALUE));
        }
        daemon("monitor", Safepoint::dumpForEver);
        return ground.serve(query -> {
            ground.burn().millis(0.3);
            return "ok\n";
        });
    }

    private static void dumpForEver() {
        long frames = 0;
        while (frames >= 0) {
            for (Map.Entry<Thread, StackTraceElement[]> one :
                    Thread.getAllStackTraces().entrySet()) {
                frames += one.getValue().length;
            }
        }
    }

    /// Work that lasts as long as the service.
    private interface Lasting {
        void run() throws InterruptedException;
    }

    private static void daemon(String name, Lasting work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        name);
        thread.setDaemon(true);
        thread.start();
    }
}
