package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.service.UndertowService;
import dev.jdyno.lab.work.DownstreamClient;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;

/// Undertow with too few worker threads for the waits of its requests.
final class ThreadPoolUndertow implements Case {
    @Override
    public Label label() {
        return Label.of(
                "thread-pool-undertow",
                "thread-pool",
                20,
                "task",
                "Undertow with a few worker threads in front of a slow call");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 3, 6);
        int millis = caseSetup.vary().between("callMs", 35, 70);
        DownstreamClient downstream = caseSetup.downstream();
        return UndertowService.start(
                caseSetup.listen(),
                2,
                threads,
                new BlockingHandler(exchange -> {
                    downstream.await(millis);
                    exchange.getResponseSender().send("ok\n");
                }));
    }
}
