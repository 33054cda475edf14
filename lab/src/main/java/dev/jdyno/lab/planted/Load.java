package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// Too little load: no resource is saturated.
final class Load implements Case {
    @Override
    public Label label() {
        return Label.of(
                "load", "load", 2, "", "a slow call and few connections: nothing is saturated");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int millis = caseSetup.vary().between("callMs", 35, 70);
        DownstreamClient downstream = caseSetup.downstream();
        return caseSetup.serve(query -> {
            downstream.await(millis);
            return "ok\n";
        });
    }
}
