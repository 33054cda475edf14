package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.lang.ref.Reference;

/// Arrays larger than half a G1 region.
final class GcHumongous implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "gc-humongous",
                        "gc-humongous",
                        40,
                        "",
                        "arrays larger than half a G1 region, several a request")
                .jvm("-XX:+UseG1GC", "-Xms256m", "-Xmx256m", "-XX:G1HeapRegionSize=1m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int kilobytes = caseSetup.vary().between("kilobytes", 600, 1000);
        int millis = caseSetup.vary().between("holdMs", 1, 3);
        return caseSetup.serve(query -> {
            for (int i = 0; i < 3; i++) {
                hold(Garbage.array(kilobytes * 1024), millis);
            }
            return "ok\n";
        });
    }

    private static void hold(byte[] large, int millis) throws InterruptedException {
        try {
            Thread.sleep(millis);
        } finally {
            Reference.reachabilityFence(large);
        }
    }
}
