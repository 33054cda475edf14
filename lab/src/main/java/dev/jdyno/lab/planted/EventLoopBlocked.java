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
    public Running start(CaseSetup ground) throws IOException {
        int loops = ground.vary().between("loops", 2, 3);
        int millis = ground.vary().between("callMs", 8, 20);
        DownstreamClient downstream = ground.downstream();
        return NettyService.start(ground.listen(), loops, () -> downstream.await(millis));
    }
}
