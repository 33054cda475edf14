package dev.jdyno.cluster;

import java.net.InetSocketAddress;

/// The address at which an agent listens, as the user gave it.
public record AgentAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;

    public AgentAddress {
        if (host.isEmpty() || port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("no address");
        }
    }

    /// Reads `host:port` or `[address]:port`.
    ///
    /// @throws IllegalArgumentException if the text has neither form
    public static AgentAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
        }
        String host = text.substring(0, colon).replaceFirst("^\\[(.*)]$", "$1");
        return new AgentAddress(host, Integer.parseInt(port));
    }

    /// The unresolved address, because a name may move to another host.
    public InetSocketAddress socket() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
