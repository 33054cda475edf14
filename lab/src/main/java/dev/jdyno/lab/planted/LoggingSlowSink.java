package dev.jdyno.lab.planted;

import ch.qos.logback.classic.Logger;
import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.util.List;

/// Logging to a pipe with a slow reader, like the standard output of some containers.
final class LoggingSlowSink implements Case {
    @Override
    public Label label() {
        return Label.of(
                "logging-slow-sink",
                "logging",
                20,
                "logback",
                "a log line a request into a pipe that is read slowly");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int kilobytesPerSecond = caseSetup.vary().between("kilobytesPerSecond", 60, 150);
        Process reader =
                new ProcessBuilder(
                                HelperProcess.command(
                                        List.of("-Xmx32m", "-XX:+UseSerialGC"),
                                        SlowReader.class,
                                        "--rate",
                                        "" + kilobytesPerSecond))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        caseSetup.closing(reader::destroy);
        Logger log = new Log().toStream(reader.getOutputStream(), Log.PLAIN);
        String basket = "article, ".repeat(60);
        return caseSetup.serve(query -> {
            log.info("order of {}", basket);
            return "ok\n";
        });
    }
}
