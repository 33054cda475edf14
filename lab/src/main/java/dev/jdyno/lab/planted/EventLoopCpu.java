package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// One event loop whose handler uses CPU time.
final class EventLoopCpu implements Case {
    @Override
    public Label label() {
        return Label.of(
                "event-loop-cpu",
                "event-loop",
                20,
                "EventLoop",
                "Netty with one event loop whose handler burns CPU time");
    }

    @Override
    public Running start(CaseSetup ground) {
        int tenths = ground.vary().between("tenthsOfMs", 8, 30);
        return NettyService.start(ground.listen(), 1, () -> ground.burn().millis(tenths / 10.0));
    }
}
