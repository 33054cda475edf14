package dev.jdyno.load.wire;

/// Wakes a loop that waits in epoll: an eventfd that any thread may ring while the loop's thread
/// closes it.
///
/// The kernel gives the number of a closed descriptor to the next file or socket of this process. A
/// ring that came after would write into that one. So ringing and closing exclude each other, and a
/// closed bell is silent. The lock costs nothing that counts: a bell is rung to hand an order to a
/// loop, never for a request.
final class Bell {
    private final Kernel kernel;
    private final int eventfd;
    private boolean closed;

    /// @param kernel of the loop's thread, which alone may {@link #silence} and {@link #close}
    Bell(Kernel kernel, int eventfd) {
        this.kernel = kernel;
        this.eventfd = eventfd;
    }

    int eventfd() {
        return eventfd;
    }

    /// Callable from any thread, also after {@link #close}.
    synchronized void ring() {
        if (!closed) {
            Kernel.ring(eventfd);
        }
    }

    /// Takes back what was rung. Needs no lock: the thread that closes is the one that calls this.
    void silence() {
        kernel.silence(eventfd);
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            kernel.close(eventfd);
        }
    }
}
