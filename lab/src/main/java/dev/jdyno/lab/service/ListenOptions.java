package dev.jdyno.lab.service;

import picocli.CommandLine.Option;

/// The address on which a service listens, and the process with which it ends.
public final class ListenOptions {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port to listen on; 0 takes a free one. (default: ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. (default: ${DEFAULT-VALUE})")
    String bind = "127.0.0.1";

    @Option(
            names = "--parent",
            paramLabel = "PID",
            defaultValue = "0",
            description = "End when this process has ended; looked at once a second.")
    long parent;

    public int port() {
        return port;
    }

    public String bind() {
        return bind;
    }

    /// Id of the process with which this one ends; 0 without one.
    public long parent() {
        return parent;
    }
}
