package dev.jdyno.lab.perf;

import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Services;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The sample service whose pages use CPU time and wait for another service, with one thread per
/// request.
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        description = {
            "Thread-per-request service: GET /perf?cpu=10&io=80, GET /lock?ms=50&cpu=20&io=80,",
            "GET /calls?parallel=false, GET /search?parallel=false&cache=false&template=true; times in",
            "milliseconds."
        })
public final class Perf implements Callable<Integer> {
    /// Maximum number of concurrent calls of one request: the three of `/calls?parallel=true`.
    private static final int CALLS_AT_ONCE = 3;

    @Mixin private ContainerOptions options = new ContainerOptions();

    @Option(
            names = "--downstream",
            required = true,
            paramLabel = "URL",
            description = "The service to wait for, such as http://127.0.0.1:8081.")
    private URI downstream = URI.create("");

    public static void main(String... args) {
        Services.main(new Perf(), args);
    }

    @Override
    public Integer call() {
        try (Container container = start(options, downstream)) {
            Services.listening(options.listen(), container.port());
            container.await();
        }
        return 0;
    }

    /// Calibrates the CPU burner, then starts the service.
    static Container start(ContainerOptions options, URI downstreamAt) {
        Burn burn = Burn.calibrated();
        DownstreamClient downstream =
                new DownstreamClient(downstreamAt, options.maxThreads() * CALLS_AT_ONCE);
        return Container.start(
                options,
                Map.of(
                        "/perf", new PerfPage(burn, downstream),
                        "/lock", new LockPage(burn, downstream),
                        "/calls", new CallsPage(burn, downstream),
                        "/search", new SearchPage(burn, downstream)));
    }
}
