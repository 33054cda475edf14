package dev.jdyno.load.wire;

/// Wakes a loop that waits in epoll: an eventfd on which any thread may ring while the loop's
/// thread closes it.
///
/// The kernel gives the number of a closed descriptor to the next file or socket of this process. A
/// late ring would write into that one. Therefore ringing and closing exclude each other, and a
/// closed bell ignores rings. The lock costs little: a bell is rung to pass a command to a loop,
/// never for a request.
final class Bell {
    private final Kernel kernel;
    private final int eventfd;
    private boolean closed;

    /// @param kernel the loop's kernel; only the loop's thread may {@link #silence} and {@link
    ///   #close}
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

    /// Clears the rings so far. It needs no lock, because only the closing thread calls it.
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
