package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Services;
import dev.jdyno.lab.work.Burn;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Keeps one core busy without end.
@Command(name = "neighbour", description = "Keeps one core busy.")
public final class Neighbour implements Callable<Integer> {
    private static final int STEPS = 10_000_000;

    @Mixin private ListenOptions listen = new ListenOptions();

    public static void main(String... args) {
        Services.main(new Neighbour(), args);
    }

    @Override
    public Integer call() throws Exception {
        // an open port shows the starting process that this process runs; no client connects
        try (ServerSocket socket =
                new ServerSocket(listen.port(), 1, InetAddress.getByName(listen.bind()))) {
            Services.listening(listen, socket.getLocalPort());
            while (!socket.isClosed()) {
                Burn.steps(STEPS);
            }
        }
        return 0;
    }
}
