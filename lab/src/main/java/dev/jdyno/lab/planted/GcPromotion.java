package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.lang.ref.Reference;

/// All requests together hold more memory than a survivor space (experiments E5 and E20, formulas
/// F6 and F11). So their objects are promoted and die in the old generation.
final class GcPromotion implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "gc-promotion",
                        "gc-promotion",
                        60,
                        "",
                        "requests that hold more together than the survivor space takes")
                .jvm(
                        "-XX:+UseParallelGC",
                        "-Xms256m",
                        "-Xmx256m",
                        "-Xmn24m",
                        "-XX:SurvivorRatio=8");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int kilobytes = caseSetup.vary().between("kilobytes", 600, 1000);
        int millis = caseSetup.vary().between("holdMs", 10, 20);
        return caseSetup.serve(query -> {
            byte[][] held = new byte[kilobytes / 8][];
            try {
                for (int i = 0; i < held.length; i++) {
                    held[i] = Garbage.array(8192);
                }
                Thread.sleep(millis);
            } finally {
                Reference.reachabilityFence(held);
            }
            return "ok\n";
        });
    }
}
