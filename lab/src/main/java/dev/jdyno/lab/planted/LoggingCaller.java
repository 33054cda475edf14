package dev.jdyno.lab.planted;

import ch.qos.logback.classic.Logger;
import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// Many log lines per request, each with the calling class and line. Each line is flushed (E10).
final class LoggingCaller implements Case {
    @Override
    public Label label() {
        return Label.of(
                "logging-caller",
                "logging",
                20,
                "logback",
                "many lines a request with caller data, flushed one by one to a file");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int lines = caseSetup.vary().between("lines", 40, 90);
        Logger log = new Log().toFile(caseSetup.folderOnDisk().resolve("orders.log"), Log.CALLER);
        return caseSetup.serve(query -> {
            for (int i = 0; i < lines; i++) {
                log.info("order {} of {} checked", i, lines);
            }
            return "ok\n";
        });
    }
}
