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
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("tenthsOfMs", 8, 30);
        return NettyService.start(
                caseSetup.listen(), 1, () -> caseSetup.burn().millis(tenths / 10.0));
    }
}
