package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/// A monitor inside the service that takes thread dumps continuously, with the synchronizers that
/// each thread owns. For these, the JVM walks the whole heap while every thread is stopped. The
/// requests wait for these stops, not for the monitor's own CPU use.
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
    public Running start(CaseSetup caseSetup) {
        int idleThreads = caseSetup.vary().between("idleThreads", 150, 400);
        for (int i = 0; i < idleThreads; i++) {
            Lasting.daemon("idle", () -> Thread.sleep(Long.MAX_VALUE));
        }
        int rows = caseSetup.vary().between("heldRows", 1_000_000, 1_800_000);
        List<int[]> held = new ArrayList<>(rows);
        for (int i = 0; i < rows; i++) {
            held.add(new int[] {i});
        }
        Lasting.daemon("monitor", Safepoint::dumpForEver);
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(0.3);
            return held.size() + "\n";
        });
    }

    private static void dumpForEver() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long dumped = 0;
        while (dumped >= 0) {
            dumped += threads.dumpAllThreads(false, true).length;
        }
    }
}
