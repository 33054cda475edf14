package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// Megabytes of short-lived garbage per request with a small young generation (experiments E18 and
/// E19, formula F9).
final class GcAllocation implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "gc-allocation",
                        "gc-allocation",
                        20,
                        "",
                        "megabytes of garbage a request, a young generation of a few requests")
                .jvm("-XX:+UseParallelGC", "-Xms256m", "-Xmx256m", "-Xmn12m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int megabytes = caseSetup.vary().between("megabytes", 6, 20);
        return caseSetup.serve(query -> {
            Garbage.allocate(megabytes * 1024L * 1024, 8192);
            return "ok\n";
        });
    }
}
