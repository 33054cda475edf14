package dev.jdyno.lab.memory;

import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Services;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The sample service whose requests cost memory.
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description = {
            "Requests that allocate and hold: GET /memory?bytes=2m&holdMs=10[&release=true]",
            "[&chunk=64k][&keep=100k&keepMs=1000]. Give the JVM its heap: java -Xmx256m -XX:+UseParallelGC …"
        })
public final class Memory implements Callable<Integer> {
    @Mixin private ContainerOptions options = new ContainerOptions();

    public static void main(String... args) {
        Services.main(new Memory(), args);
    }

    @Override
    public Integer call() {
        try (Container container = start(options)) {
            Services.listening(options.listen(), container.port());
            container.await();
        }
        return 0;
    }

    static Container start(ContainerOptions options) {
        return Container.start(options, Map.of("/memory", new MemoryPage()));
    }
}
