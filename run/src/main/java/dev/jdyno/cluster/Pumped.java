package dev.jdyno.cluster;

import java.io.IOException;
import java.net.Socket;

/// Two connections of which each gets the bytes of the other.
final class Pumped {
    private Pumped() {}

    /// Copies in both directions until one of the connections ends. Then both are closed.
    static void between(Socket one, Socket other) {
        Thread back = Thread.ofVirtual().name("jdyno-return").start(() -> copy(other, one));
        copy(one, other);
        try {
            back.join();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            long _ = from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // both are closed now, which is how the peers notice
        } finally {
            Listener.close(from);
            Listener.close(to);
        }
    }
}
