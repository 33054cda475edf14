package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The JDK's file server in its own JVM, for tests that kill a process.
record FileServer(Process process, URI url) {
    /// Starts the server and returns after its first reply. Before that, it may not be a JVM that
    /// can be attached.
    static FileServer start(Path folder) throws IOException, InterruptedException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process service =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-m",
                                "jdk.httpserver",
                                "-b",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port),
                                "-d",
                                Files.createDirectory(folder.resolve("www"))
                                        .toRealPath()
                                        .toString(),
                                "-o",
                                "none")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("service.log").toFile())
                        .start();
        while (true) {
            try (var probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(probe.isConnected()).isTrue();
                return new FileServer(service, URI.create("http://127.0.0.1:" + port + "/"));
            } catch (IOException notYet) {
                assertThat(service.isAlive()).as("the service, that was not ready yet").isTrue();
                // sleeps: interval between two checks of a starting server
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    long pid() {
        return process.pid();
    }
}
