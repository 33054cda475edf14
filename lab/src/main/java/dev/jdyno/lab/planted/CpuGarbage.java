package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// CPU work with much garbage in a large heap. The collector is busy, but is not the limit.
final class CpuGarbage implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "cpu-garbage",
                        "cpu",
                        20,
                        "",
                        "each request burns CPU time and leaves garbage that the heap has room for")
                .jvm("-XX:+UseParallelGC", "-Xms1g", "-Xmx1g", "-Xmn600m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("tenthsOfMs", 20, 50);
        int kilobytes = caseSetup.vary().between("kilobytes", 200, 800);
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(tenths / 10.0);
            return Garbage.allocate(kilobytes * 1024L, 8192) + "\n";
        });
    }
}
