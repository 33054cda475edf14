package dev.jdyno.lab.planted;

import ch.qos.logback.classic.Logger;
import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// One appender thread behind a small queue that is always full (E10).
final class LoggingQueue implements Case {
    @Override
    public Label label() {
        return Label.of(
                "logging-queue",
                "logging",
                20,
                "logback",
                "many lines a request through a small queue to one appender thread");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int lines = caseSetup.vary().between("lines", 40, 90);
        int queue = caseSetup.vary().between("queue", 64, 256);
        Logger log =
                new Log()
                        .toFileLater(
                                caseSetup.folderOnDisk().resolve("orders.log"), Log.CALLER, queue);
        return caseSetup.serve(query -> {
            for (int i = 0; i < lines; i++) {
                log.info("order {} of {} checked", i, lines);
            }
            return "ok\n";
        });
    }
}
