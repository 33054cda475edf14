package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// Virtual threads that wait for a downstream with few slots.
final class DownstreamVirtual implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "downstream-virtual",
                        "downstream",
                        20,
                        "",
                        "Tomcat on virtual threads, a called service with a few slots, all taken")
                .jdkFrom(21);
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int slots = caseSetup.vary().between("slots", 2, 5);
        int millis = caseSetup.vary().between("callMs", 10, 50);
        DownstreamClient downstream = caseSetup.downstream(slots);
        return caseSetup.serve(
                caseSetup.tomcat().onVirtualThreads(),
                query -> {
                    downstream.await(millis);
                    return "ok\n";
                });
    }
}
