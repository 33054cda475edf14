package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// A concurrent collector with too little free heap: allocating threads must wait for the
/// collector.
final class GcStall implements Case {
    private static final int LIVE_PIECES = 10_000;

    @Override
    public Label label() {
        return Label.of(
                        "gc-stall",
                        "gc-stall",
                        20,
                        "",
                        "ZGC with a heap too small for what is allocated during a cycle")
                .jvm("-XX:+UseZGC", "-Xms160m", "-Xmx160m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int megabytes = caseSetup.vary().between("megabytes", 3, 8);
        byte[][] live = new byte[LIVE_PIECES][];
        for (int i = 0; i < live.length; i++) {
            live[i] = Garbage.array(6000);
        }
        return caseSetup.serve(query -> {
            Garbage.allocate(megabytes * 1024L * 1024, 16_384);
            return live.length + "\n";
        });
    }
}
