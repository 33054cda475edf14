package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Linux epoll through the foreign-function interface. A request takes two system calls (send and
/// receive); all ready replies share one wait, which has a resolution of nanoseconds. docs/adr
/// compares it with java.nio and Netty.
///
/// Wires are registered once, edge-triggered, for reading and writing. This avoids an epoll_ctl per
/// state change, and the kernel does not check again every wire that was ready last time.
final class EpollPoller implements Poller {
    /// Maximum number of ready wires per wait. With more, later ones would wait longer for their
    /// turn.
    private static final int MAX_READY = 256;

    /// `struct epoll_event` is packed on x86-64 and naturally aligned elsewhere.
    private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA_OFFSET = PACKED ? 4 : 8;
    private static final int WAKEUP_SLOT = -1;

    private final Arena arena = Arena.ofShared();
    private final Kernel kernel = new Kernel(arena);
    private final MemorySegment events = arena.allocate((long) EVENT_BYTES * MAX_READY, 8);
    private final MemorySegment change = arena.allocate(16, 8);
    private final Map<SocketAddress, MemorySegment> addresses = new HashMap<>();
    private final int epoll;
    private final Bell bell;

    /// Wires by slot. A slot is reused after its wire has closed; the generation in an event
    /// distinguishes a late event of the old wire from one of the new wire.
    private @Nullable EpollWire[] slots = new EpollWire[64];

    private int[] freeSlots = new int[64];
    private int freeCount;
    private int slotsUsed;
    private int generation;

    private final Scheduling scheduling = new Scheduling();
    private final LastArray lastRead = new LastArray();

    /// @throws UnsupportedOperationException if this system has no epoll_pwait2
    EpollPoller() {
        epoll = kernel.epollCreate();
        int eventfd = kernel.eventfd();
        bell = new Bell(kernel, eventfd);
        try {
            orUnsupported("epoll_create1", epoll);
            orUnsupported("eventfd", eventfd);
            fillEvent(Kernel.EPOLLIN, WAKEUP_SLOT, 0);
            orUnsupported("epoll_ctl", kernel.epollAdd(epoll, eventfd, change));
            orUnsupported("epoll_pwait2", kernel.epollWait(epoll, events, MAX_READY, 0));
        } catch (UnsupportedOperationException e) {
            closeDescriptors();
            throw e;
        }
    }

    @Override
    public void onItsThread(boolean urgent) {
        Scheduling.preciseTimers();
        scheduling.shortTurns(urgent);
    }

    private static int orUnsupported(String call, int result) {
        if (result < 0) {
            throw new UnsupportedOperationException(call + " failed with errno " + -result);
        }
        return result;
    }

    private void fillEvent(int interest, int slot, int wireGeneration) {
        change.set(JAVA_INT, 0, interest);
        change.set(JAVA_INT_UNALIGNED, DATA_OFFSET, slot);
        change.set(JAVA_INT_UNALIGNED, DATA_OFFSET + 4, wireGeneration);
    }

    @Override
    public Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure {
        MemorySegment native_ = addresses.computeIfAbsent(address, a -> NativeAddress.of(a, arena));
        int fd = kernel.socket(NativeAddress.family(address));
        if (fd < 0) {
            throw Errno.failure("socket", -fd);
        }
        var wire = new EpollWire(fd, owner);
        try {
            wire.prepare(address, settings);
            int r = kernel.connect(fd, native_);
            if (r < 0 && r != -Kernel.EINPROGRESS) {
                throw Errno.failure("connect", -r);
            }
            wire.register();
            return wire;
        } catch (SocketFailure e) {
            kernel.close(fd);
            throw e;
        }
    }

    @Override
    public int poll(long timeoutNanos) {
        int n = kernel.epollWait(epoll, events, MAX_READY, timeoutNanos);
        if (n == -Kernel.EINTR) {
            return 0;
        }
        if (n < 0) {
            throw new IllegalStateException("epoll_pwait2 failed with errno " + -n);
        }
        return n;
    }

    @Override
    public @Nullable WireOwner ready(int i) {
        long at = (long) i * EVENT_BYTES;
        int slot = events.get(JAVA_INT_UNALIGNED, at + DATA_OFFSET);
        if (slot == WAKEUP_SLOT) {
            bell.silence();
            return null;
        }
        EpollWire wire = slots[slot];
        if (wire == null
                || wire.generation != events.get(JAVA_INT_UNALIGNED, at + DATA_OFFSET + 4)) {
            return null;
        }
        int flags = events.get(JAVA_INT_UNALIGNED, at);
        if ((flags & (Kernel.EPOLLRDHUP | Kernel.EPOLLHUP | Kernel.EPOLLERR)) != 0) {
            wire.endSeen = true;
        }
        return wire.owner;
    }

    @Override
    public void wakeup() {
        bell.ring();
    }

    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public void close() {
        for (EpollWire wire : slots) {
            if (wire != null) {
                wire.close();
            }
        }
        closeDescriptors();
    }

    /// Closes all descriptors. A negative number means that a descriptor could not be opened;
    /// closing it does nothing.
    private void closeDescriptors() {
        bell.close();
        kernel.close(epoll);
        arena.close();
    }

    private final class EpollWire implements Wire {
        /// Each wire remembers its own segment, because the arrays of a loop alternate if the
        /// requests of its users differ, for example by a trace id.
        private final LastArray lastWritten = new LastArray();

        private final int fd;
        private final WireOwner owner;
        private int slot;
        private int generation;
        private boolean endSeen;
        private boolean closed;

        EpollWire(int fd, WireOwner owner) {
            this.fd = fd;
            this.owner = owner;
        }

        void prepare(SocketAddress address, SocketSettings settings) throws SocketFailure {
            if (NativeAddress.family(address) != Kernel.AF_UNIX) {
                check(
                        "TCP_NODELAY",
                        kernel.setOption(fd, Kernel.IPPROTO_TCP, Kernel.TCP_NODELAY, 1));
            }
            if (settings.receiveBufferBytes() > 0) {
                check(
                        "SO_RCVBUF",
                        kernel.setOption(
                                fd,
                                Kernel.SOL_SOCKET,
                                Kernel.SO_RCVBUF,
                                settings.receiveBufferBytes()));
            }
            if (settings.source().isPresent()) {
                check(
                        "IP_BIND_ADDRESS_NO_PORT",
                        kernel.setOption(fd, Kernel.IPPROTO_IP, Kernel.IP_BIND_ADDRESS_NO_PORT, 1));
                var source = new java.net.InetSocketAddress(settings.source().get(), 0);
                check(
                        "bind",
                        kernel.bind(
                                fd,
                                addresses.computeIfAbsent(
                                        source, a -> NativeAddress.of(a, arena))));
            }
        }

        private void check(String call, int result) throws SocketFailure {
            if (result < 0) {
                throw Errno.failure(call, -result);
            }
        }

        void register() throws SocketFailure {
            generation = ++EpollPoller.this.generation;
            slot = freeCount > 0 ? freeSlots[freeCount - 1] : slotsUsed;
            fillEvent(
                    Kernel.EPOLLIN | Kernel.EPOLLOUT | Kernel.EPOLLRDHUP | Kernel.EPOLLET,
                    slot,
                    generation);
            check("epoll_ctl", kernel.epollAdd(epoll, fd, change));
            if (freeCount > 0) {
                freeCount--;
            } else {
                slotsUsed++;
            }
            if (slot == slots.length) {
                slots = Arrays.copyOf(slots, slots.length * 2);
            }
            slots[slot] = this;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws SocketFailure {
            int n = kernel.receive(fd, lastRead.segment(into, offset, length), length);
            if (n > 0) {
                return n;
            }
            if (n == 0) {
                return END;
            }
            if (n == -Kernel.EAGAIN || n == -Kernel.EINTR) {
                endSeen = false;
                return 0;
            }
            throw Errno.failure("recv", -n);
        }

        @Override
        public int write(byte[] from, int offset, int length) throws SocketFailure {
            int n = kernel.send(fd, lastWritten.segment(from, offset, length), length);
            if (n >= 0) {
                return n;
            }
            if (n == -Kernel.EAGAIN || n == -Kernel.EINTR) {
                return 0;
            }
            throw Errno.failure("send", -n);
        }

        @Override
        public Progress finishConnect() throws SocketFailure {
            int error = kernel.pendingError(fd);
            if (error != 0) {
                throw Errno.failure("connect", error);
            }
            return Progress.DONE;
        }

        @Override
        public boolean mustReadOn() {
            return endSeen;
        }

        @Override
        public boolean isEnding() {
            return endSeen;
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            kernel.close(fd);
            slots[slot] = null;
            if (freeCount == freeSlots.length) {
                freeSlots = Arrays.copyOf(freeSlots, freeCount * 2);
            }
            freeSlots[freeCount++] = slot;
        }
    }
}
