package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The JDK's file server in its own JVM, for tests that kill a process.
record FileServer(Process process, URI url) {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");

    /// Starts the server and returns when it accepts connections. Before that, it may not be a JVM
    /// that can be attached.
    static FileServer start(Path folder) throws IOException {
        Path log = folder.resolve("service.log");
        Process service =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-m",
                                "jdk.httpserver",
                                "-b",
                                "127.0.0.1",
                                "-p",
                                "0",
                                "-d",
                                Files.createDirectory(folder.resolve("www"))
                                        .toRealPath()
                                        .toString(),
                                "-o",
                                "none")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        // it names the port that it got: a port chosen here could be taken meanwhile
        var url = new AtomicReference<URI>();
        Eventually.until(
                () -> "the address of the service",
                () -> {
                    assertThat(service.isAlive()).as("the service, not ready yet").isTrue();
                    Matcher address = ADDRESS.matcher(Files.readString(log));
                    if (address.find()) {
                        url.set(URI.create(address.group()));
                    }
                    return url.get() != null;
                });
        return new FileServer(service, url.get());
    }

    long pid() {
        return process.pid();
    }
}
