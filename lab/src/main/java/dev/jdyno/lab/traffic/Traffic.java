package dev.jdyno.lab.traffic;

import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.service.Services;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The service for experiments with proxies and with slow, many or impatient clients.
@Command(
        name = "traffic",
        mixinStandardHelpOptions = true,
        description = {
            "GET /page?bytes=1k&ms=0, GET /job?ms=50 (answers at once, worked off later),",
            "GET /effect?id=1."
        })
public final class Traffic implements Callable<Integer> {
    @Mixin private ContainerOptions options = new ContainerOptions();

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads that work off /job. (default: ${DEFAULT-VALUE})")
    private int workers = 2;

    public static void main(String... args) {
        Services.main(new Traffic(), args);
    }

    @Override
    public Integer call() {
        try (Container container = start(options, workers)) {
            Services.listening(options.listen(), container.port());
            container.await();
        }
        return 0;
    }

    static Container start(ContainerOptions options, int workers) {
        Jobs jobs = new Jobs(workers);
        return Container.start(
                options,
                Map.of("/page", Traffic::page, "/job", jobs::accept, "/effect", jobs::effect));
    }

    private static String page(Query query) throws InterruptedException {
        Thread.sleep(Math.round(query.millis("ms", 0)));
        return "x".repeat(query.bytes("bytes", 1024));
    }
}
