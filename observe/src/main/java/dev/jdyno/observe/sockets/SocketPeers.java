package dev.jdyno.observe.sockets;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/// Finds the socket on which a thread is blocked: the file descriptor of its system call, from
/// `/proc/PID/task/TID/syscall`. A read with a timeout waits in `poll`, whose descriptor is in the
/// thread's memory. Needs the right to trace the target (same user, or root).
public final class SocketPeers {
    // x86_64 and aarch64 number their system calls differently; both lists are for 64-bit kernels
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

    /// read, recvfrom, recvmsg, write, sendto, sendmsg, connect
    private static final Set<Integer> FD_FIRST =
            ARM ? Set.of(63, 207, 212, 64, 206, 211, 203) : Set.of(0, 45, 47, 1, 44, 46, 42);

    /// poll, ppoll
    private static final Set<Integer> POLL = ARM ? Set.of(73) : Set.of(7, 271);

    private final ProcFs proc;
    private final long pid;

    public SocketPeers(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /// The inode of the socket; empty when the thread waits on none now, or access is denied.
    public Optional<Long> inodeOf(long tid) {
        // 0 0x25 0x7f3c0c0b2f10 0x2000 0x0 0x0 0x0 0x7f3c… 0x7f3c…   or   running
        String[] call =
                ProcFs.text(proc.of(pid).resolve("task/" + tid + "/syscall")).orElse("").split(" ");
        if (call.length < 3 || call[0].startsWith("-")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(call[0]);
        long first = Long.decode(call[1]);
        if (FD_FIRST.contains(number)) {
            return Sockets.inode(proc.of(pid, "fd/" + first));
        }
        if (POLL.contains(number) && Long.decode(call[2].trim()) == 1) {
            return polled(first).flatMap(fd -> Sockets.inode(proc.of(pid, "fd/" + fd)));
        }
        return Optional.empty();
    }

    /// Reads the descriptor, which is the first field of a `struct pollfd { int fd; short events;
    /// short revents; }`.
    private Optional<Integer> polled(long address) {
        try (RandomAccessFile memory = new RandomAccessFile(proc.of(pid, "mem").toFile(), "r")) {
            byte[] fd = new byte[4];
            memory.seek(address);
            memory.readFully(fd);
            return Optional.of(ByteBuffer.wrap(fd).order(ByteOrder.nativeOrder()).getInt());
        } catch (IOException notOurs) {
            return Optional.empty();
        }
    }
}
