package dev.jdyno.lab.downstream;

import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Services;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The service that other services call: `GET /wait?ms=80[&bytes=1000]` is answered after 80 ms.
@Command(
        name = "downstream",
        mixinStandardHelpOptions = true,
        description = "Answers GET /wait?ms=MS[&bytes=N] after MS milliseconds.")
public final class Downstream implements Callable<Integer> {
    @Mixin private ListenOptions listen = new ListenOptions();

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "2147483647",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            description =
                    "Requests in work at once; others wait their turn, first come first served."
                            + " (default: no limit)")
    private int slots = Integer.MAX_VALUE;

    public static void main(String... args) {
        Services.main(new Downstream(), args);
    }

    @Override
    public Integer call() throws Exception {
        try (DelayServer server = DelayServer.bind(listen.bind(), listen.port(), slots)) {
            Services.listening(listen, server.port());
            server.run();
        }
        return 0;
    }
}
