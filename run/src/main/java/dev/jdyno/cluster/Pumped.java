package dev.jdyno.cluster;

import java.io.IOException;

/// Two connections. The bytes of each are copied to the other.
final class Pumped {
    private Pumped() {}

    /// Copies in both directions until one of the connections ends. Then both are closed.
    static void between(Layered one, Layered other) {
        Thread back = Thread.ofVirtual().name("jdyno-return").start(() -> copy(other, one));
        copy(one, other);
        try {
            back.join();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Layered from, Layered to) {
        try {
            long _ = from.data().getInputStream().transferTo(to.data().getOutputStream());
        } catch (IOException ended) {
            // closing the two connections informs the peers
        } finally {
            from.close();
            to.close();
        }
    }
}
