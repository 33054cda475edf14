package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// Other processes occupy the cores.
final class CpuNeighbour implements Case {
    @Override
    public Label label() {
        return Label.of(
                "cpu-neighbour",
                "cpu-neighbour",
                20,
                "",
                "other processes keep more cores busy than there are");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int tenths = caseSetup.vary().between("tenthsOfMs", 10, 40);
        int more = caseSetup.vary().between("busyMoreThanCores", 1, 2);
        int busy = Runtime.getRuntime().availableProcessors() + more;
        for (int i = 0; i < busy; i++) {
            caseSetup.start(Neighbour.class);
        }
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(tenths / 10.0);
            return "ok\n";
        });
    }
}
