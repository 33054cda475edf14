package dev.jdyno.files;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/// A file descriptor. A closed descriptor is never used again, because the kernel may give its
/// number to another file.
final class Descriptor implements AutoCloseable {
    private static final int CLOSED = -1;

    private int fd;

    Descriptor(int fd) {
        this.fd = fd;
    }

    /// An action with the number.
    interface Use<T> {
        T with(int fd) throws IOException;
    }

    /// Executes an action with the number, which stays valid until the action ends.
    synchronized <T> T use(Use<T> use) throws IOException {
        if (fd == CLOSED) {
            throw new ClosedChannelException();
        }
        return use.with(fd);
    }

    Stat stat(String name) throws IOException {
        return use(its -> Calls.stat(its, name));
    }

    /// A path that the kernel resolves to the open file, even after a rename.
    Path path() throws IOException {
        return use(its -> Path.of("/proc/self/fd/" + its));
    }

    /// Passes the number to the caller, who closes it.
    synchronized int release() throws IOException {
        if (fd == CLOSED) {
            throw new ClosedChannelException();
        }
        int released = fd;
        fd = CLOSED;
        return released;
    }

    @Override
    public synchronized void close() throws IOException {
        if (fd != CLOSED) {
            int ended = fd;
            fd = CLOSED;
            Calls.close(ended);
        }
    }
}
