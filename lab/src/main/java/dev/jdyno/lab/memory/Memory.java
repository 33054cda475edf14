package dev.jdyno.lab.memory;

import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Services;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The sample service whose requests use memory.
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description = {
            "Requests that allocate and hold: GET /memory?bytes=2m&holdMs=10[&release=true]",
            "[&chunk=64k][&keep=100k&keepMs=1000][&steps=3000000]. Give the JVM its heap: java -Xmx256m",
            "-XX:+UseParallelGC …"
        })
public final class Memory implements Callable<Integer> {
    private static final long MIB = 1 << 20;

    @Mixin private ContainerOptions options = new ContainerOptions();

    @Option(
            names = "--live-mb",
            paramLabel = "MB",
            description =
                    "Total size in MB of small objects that live as long as the service (default"
                            + " 0).")
    private int liveMb;

    public static void main(String... args) {
        Services.main(new Memory(), args);
    }

    @Override
    public Integer call() {
        try (Container container = start(options, liveMb * MIB)) {
            Services.listening(options.listen(), container.port());
            container.await();
        }
        return 0;
    }

    static Container start(ContainerOptions options, long liveBytes) {
        return Container.start(options, Map.of("/memory", new MemoryPage(liveBytes)));
    }
}
