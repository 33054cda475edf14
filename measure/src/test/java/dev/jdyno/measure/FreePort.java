package dev.jdyno.measure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// A port for a program that cannot choose a free one itself.
public final class FreePort {
    /// Linux chooses the ports of connections from 32768 upwards. Such a port could be taken by a
    /// connection of another process before the program listens.
    private static final int FIRST = 15_000;

    private static final int END = 32_000;

    private FreePort() {}

    /// A random port of the loopback device on which nothing listens.
    public static int get() {
        int port = candidate();
        while (!isFree(port)) {
            port = candidate();
        }
        return port;
    }

    private static int candidate() {
        return ThreadLocalRandom.current().nextInt(FIRST, END);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
