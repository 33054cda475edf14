package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// Event loops whose handlers block on calls to another service.
final class EventLoopBlocked implements Case {
    @Override
    public Label label() {
        return Label.of(
                "event-loop-blocked",
                "event-loop",
                20,
                "EventLoop",
                "Netty whose handlers call another service on the event loop and wait");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int loops = caseSetup.vary().between("loops", 2, 3);
        int millis = caseSetup.vary().between("callMs", 8, 20);
        DownstreamClient downstream = caseSetup.downstream();
        return NettyService.start(caseSetup.listen(), loops, () -> downstream.await(millis));
    }
}
