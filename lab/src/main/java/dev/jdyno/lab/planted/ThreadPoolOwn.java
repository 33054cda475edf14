package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.service.UndertowService;
import dev.jdyno.lab.work.DownstreamClient;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.net.URI;

/// A gateway in front of a second port of the same service, which has too few threads.
final class ThreadPoolOwn implements Case {
    /// Number of the gateway's threads and concurrent calls: more than any case has requests in
    /// flight.
    private static final int GATEWAY = 200;

    @Override
    public Label label() {
        return Label.of(
                "thread-pool-own",
                "thread-pool",
                20,
                "task",
                "a service that calls a port of its own, where a few threads answer");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 3, 6);
        int millis = caseSetup.vary().between("callMs", 35, 70);
        DownstreamClient downstream = caseSetup.downstream();
        Running inner =
                UndertowService.start(
                        new ListenOptions(),
                        1,
                        threads,
                        new BlockingHandler(exchange -> {
                            downstream.await(millis);
                            exchange.getResponseSender().send("ok\n");
                        }));
        caseSetup.closing(inner::close);
        DownstreamClient own =
                caseSetup.client(URI.create("http://127.0.0.1:" + inner.port()), GATEWAY);
        return caseSetup.serve(
                caseSetup.tomcat().maxThreads(GATEWAY),
                query -> {
                    own.await(0);
                    return "ok\n";
                });
    }
}
