package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// Clients that read large answers slowly block the threads that write them.
final class NetworkSlowReaders implements Case {
    private static final int SEND_BUFFER = 16 << 10;

    @Override
    public Label label() {
        return Label.of(
                        "network-slow-readers",
                        "network",
                        20,
                        "",
                        "clients that take large answers slowly keep the threads that write them")
                .also("load");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 6, 12);
        int kilobytes = caseSetup.vary().between("kilobytes", 150, 300);
        String large = "x".repeat(kilobytes << 10);
        Running service =
                caseSetup.serve(
                        caseSetup.tomcat().maxThreads(threads).sendBuffer(SEND_BUFFER),
                        query -> query.flag("large") ? large : "ok\n");
        caseSetup.start(
                SlowClients.class,
                "--to",
                "" + service.port(),
                "--connections",
                "" + 2 * threads,
                "--rate",
                "" + 10 * kilobytes);
        return service;
    }
}
