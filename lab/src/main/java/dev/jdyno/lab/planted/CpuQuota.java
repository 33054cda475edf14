package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// A cgroup whose CPU quota is below what the requests need.
final class CpuQuota implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "cpu-quota",
                        "cpu-quota",
                        20,
                        "",
                        "a cgroup's CPU quota below what the load needs")
                .needs("root: it puts itself into a cgroup of its own");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int tenths = caseSetup.vary().between("tenthsOfMs", 10, 40);
        int percent = caseSetup.vary().between("percentOfACore", 30, 80);
        caseSetup.closing(Cgroup.limitedTo(percent));
        return caseSetup.serve(query -> {
            caseSetup.burn().millis(tenths / 10.0);
            return "ok\n";
        });
    }
}
