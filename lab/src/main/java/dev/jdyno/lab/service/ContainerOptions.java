package dev.jdyno.lab.service;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The limits of a thread-per-request container, with Tomcat's names and defaults.
public final class ContainerOptions {
    @Mixin ListenOptions listen = new ListenOptions();

    @Option(
            names = "--max-threads",
            paramLabel = "N",
            defaultValue = "200",
            description = "Threads that handle requests. (default: ${DEFAULT-VALUE})")
    int maxThreads = 200;

    @Option(
            names = "--accept-count",
            paramLabel = "N",
            defaultValue = "100",
            description = "Backlog of the listening socket. (default: ${DEFAULT-VALUE})")
    int acceptCount = 100;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "8192",
            description = "Connections held at once. (default: ${DEFAULT-VALUE})")
    int maxConnections = 8192;

    boolean virtualThreads;

    int sendBufferBytes;

    /// Returns the defaults, with a given address.
    public static ContainerOptions at(ListenOptions listen) {
        ContainerOptions options = new ContainerOptions();
        options.listen = listen;
        return options;
    }

    public ContainerOptions maxThreads(int threads) {
        maxThreads = threads;
        return this;
    }

    public ContainerOptions acceptCount(int backlog) {
        acceptCount = backlog;
        return this;
    }

    public ContainerOptions maxConnections(int connections) {
        maxConnections = connections;
        return this;
    }

    /// Uses a virtual thread for each request instead of a pool of platform threads; needs JDK 21.
    public ContainerOptions onVirtualThreads() {
        virtualThreads = true;
        return this;
    }

    /// Sets the size of the kernel's send buffer for answers that a client does not read.
    public ContainerOptions sendBuffer(int bytes) {
        sendBufferBytes = bytes;
        return this;
    }

    public ListenOptions listen() {
        return listen;
    }

    public int maxThreads() {
        return maxThreads;
    }
}
