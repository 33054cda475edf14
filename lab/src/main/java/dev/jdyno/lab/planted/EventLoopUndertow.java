package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.service.UndertowService;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// Undertow handlers that block the I/O threads, because they are not dispatched to workers.
final class EventLoopUndertow implements Case {
    @Override
    public Label label() {
        return Label.of(
                "event-loop-undertow",
                "event-loop",
                20,
                "I/O",
                "Undertow whose handlers call another service on the I/O thread and wait");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int loops = caseSetup.vary().between("loops", 2, 3);
        int millis = caseSetup.vary().between("callMs", 8, 20);
        DownstreamClient downstream = caseSetup.downstream();
        return UndertowService.start(
                caseSetup.listen(),
                loops,
                4,
                exchange -> {
                    downstream.await(millis);
                    exchange.getResponseSender().send("ok\n");
                });
    }
}
