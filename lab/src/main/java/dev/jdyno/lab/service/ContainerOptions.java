package dev.jdyno.lab.service;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The limits of a thread-per-request container, named and preset as Tomcat names and presets them.
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

    /// The presets with other limits, for a case that plants one.
    public ContainerOptions limited(int maxThreads, int acceptCount, int maxConnections) {
        ContainerOptions limited = new ContainerOptions();
        limited.listen = listen;
        limited.maxThreads = maxThreads;
        limited.acceptCount = acceptCount;
        limited.maxConnections = maxConnections;
        return limited;
    }

    public ListenOptions listen() {
        return listen;
    }

    public int maxThreads() {
        return maxThreads;
    }
}
