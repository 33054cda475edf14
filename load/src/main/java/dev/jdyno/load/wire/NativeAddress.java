package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Converts Java's socket addresses to Linux's `sockaddr_in`, `sockaddr_in6` and `sockaddr_un`.
final class NativeAddress {
    private static final ValueLayout.OfShort NETWORK_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private NativeAddress() {}

    static int family(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress) {
            return Kernel.AF_UNIX;
        }
        return ((InetSocketAddress) address).getAddress() instanceof Inet6Address
                ? Kernel.AF_INET6
                : Kernel.AF_INET;
    }

    static MemorySegment of(SocketAddress address, Arena arena) {
        int family = family(address);
        if (address instanceof UnixDomainSocketAddress unix) {
            byte[] path = unix.getPath().toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment s = arena.allocate(2 + path.length + 1, 8);
            s.set(JAVA_SHORT_UNALIGNED, 0, (short) family);
            MemorySegment.copy(path, 0, s, JAVA_BYTE, 2, path.length);
            return s;
        }
        var inet = (InetSocketAddress) address;
        byte[] bytes = inet.getAddress().getAddress();
        boolean v6 = family == Kernel.AF_INET6;
        MemorySegment s = arena.allocate(v6 ? 28 : 16, 8);
        s.set(JAVA_SHORT_UNALIGNED, 0, (short) family);
        s.set(NETWORK_SHORT, 2, (short) inet.getPort());
        MemorySegment.copy(bytes, 0, s, JAVA_BYTE, v6 ? 8 : 4, bytes.length);
        if (inet.getAddress() instanceof Inet6Address scoped) {
            s.set(ValueLayout.JAVA_INT, 24, scoped.getScopeId());
        }
        return s;
    }
}
