package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// A downstream that handles a few requests at once and queues the others.
final class DownstreamSlots implements Case {
    @Override
    public Label label() {
        return Label.of(
                "downstream-slots",
                "downstream",
                20,
                "127.0.0.1",
                "a called service with a few slots, all taken");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int slots = caseSetup.vary().between("slots", 1, 5);
        int millis = caseSetup.vary().between("callMs", 10, 50);
        DownstreamClient downstream = caseSetup.downstream(slots);
        return caseSetup.serve(query -> {
            downstream.await(millis);
            return "ok\n";
        });
    }
}
