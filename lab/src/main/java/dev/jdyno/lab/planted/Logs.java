package dev.jdyno.lab.planted;

import ch.qos.logback.classic.Logger;
import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Services;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A read service that logs each request in several lines, with what made E10's logging dear to be
/// turned on or off one by one.
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Thread-per-request service that logs: GET /page?lines=10&bytes=64k.")
public final class Logs implements Callable<Integer> {
    @Mixin private ContainerOptions options = new ContainerOptions();

    @Option(names = "--off", description = "Log nothing.")
    private boolean off;

    @Option(names = "--caller", description = "Class, method and line in the pattern.")
    private boolean caller;

    @Option(names = "--flush", description = "Flush each line.")
    private boolean flush;

    @Option(
            names = "--queue",
            paramLabel = "N",
            description =
                    "Lines that wait for the one appender thread (default: ${DEFAULT-VALUE}).")
    private int queue = 256;

    public static void main(String... args) {
        Services.main(new Logs(), args);
    }

    @Override
    public Integer call() throws IOException {
        Path file = Files.createTempFile("jdyno-lab-logs", ".log");
        file.toFile().deleteOnExit();
        try (Container container = Container.start(options, Map.of("/page", page(file)))) {
            Services.listening(options.listen(), container.port());
            container.await();
        } finally {
            Files.deleteIfExists(file);
        }
        return 0;
    }

    private Page page(Path file) {
        Logger log =
                new Log().toFileLater(file, caller ? Log.CALLER : Log.PLAIN, queue, caller, flush);
        return query -> {
            int lines = (int) query.factor("lines", 10);
            byte[] model = new byte[query.bytes("bytes", 64 << 10)];
            for (int i = 0; i < lines && !off; i++) {
                log.info("article {} part {} read", model.length, i);
            }
            return "article of " + model.length + " bytes\n";
        };
    }
}
