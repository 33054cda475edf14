package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// Every request uses CPU time.
final class Cpu implements Case {
    @Override
    public Label label() {
        return Label.of("cpu", "cpu", 20, "Burn", "each request burns CPU time");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("tenthsOfMs", 15, 60);
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(tenths / 10.0);
            return "ok\n";
        });
    }
}
