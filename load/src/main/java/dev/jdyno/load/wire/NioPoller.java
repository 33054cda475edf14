package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The portable fallback, a java.nio Selector, for systems without epoll_pwait2. Its waits have a
/// resolution of one millisecond, so the open model sends less precisely; the recorded send error
/// shows it.
final class NioPoller implements Poller {
    private final Selector selector;
    private final List<NioWire> ready = new ArrayList<>();

    NioPoller() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure {
        SocketChannel channel = null;
        try {
            boolean unix = address instanceof UnixDomainSocketAddress;
            channel =
                    unix
                            ? SocketChannel.open(java.net.StandardProtocolFamily.UNIX)
                            : SocketChannel.open();
            channel.configureBlocking(false);
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (settings.receiveBufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes());
            }
            if (settings.source().isPresent()) {
                channel.bind(new InetSocketAddress(settings.source().get(), 0));
            }
            boolean connected = channel.connect(address);
            int interest = connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
            var wire = new NioWire(channel, owner);
            wire.key = channel.register(selector, interest, wire);
            return wire;
        } catch (IOException e) {
            closeQuietly(channel);
            throw failure(e, true);
        }
    }

    private static void closeQuietly(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a socket", e);
        }
    }

    /// Finds the kind of failure. Java gives the kernel's reason only as the exception's class and
    /// text.
    private static SocketFailure failure(IOException e, boolean connecting) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (text.contains("refused")) {
            return new SocketFailure(ErrorKind.CONNECT_REFUSED, FailureReason.CONNECTION_REFUSED);
        }
        if (text.contains("cannot assign requested address")) {
            return new SocketFailure(ErrorKind.CONNECT_NO_PORT, FailureReason.NO_LOCAL_PORT);
        }
        if (e instanceof ConnectException && text.contains("timed out")) {
            return new SocketFailure(
                    ErrorKind.CONNECT_TIMEOUT, FailureReason.CONNECTION_UNANSWERED);
        }
        ErrorKind kind =
                connecting || e instanceof NoRouteToHostException
                        ? ErrorKind.CONNECT_FAILED
                        : ErrorKind.RESET;
        return text.contains("reset") || text.contains("broken pipe")
                ? new SocketFailure(kind, FailureReason.CONNECTION_RESET)
                : new SocketFailure(
                        kind, FailureReason.SYSTEM_CALL_FAILED, String.valueOf(e.getMessage()));
    }

    @Override
    public int poll(long timeoutNanos) {
        ready.clear();
        try {
            if (timeoutNanos < TimeUnit.MILLISECONDS.toNanos(1)) {
                selector.selectNow(this::note);
            } else {
                selector.select(this::note, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ready.size();
    }

    private void note(SelectionKey key) {
        ready.add((NioWire) key.attachment());
    }

    @Override
    public @Nullable WireOwner ready(int i) {
        NioWire wire = ready.get(i);
        return wire.channel.isOpen() ? wire.owner : null;
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public void close() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class NioWire implements Wire {
        private final SocketChannel channel;
        private final WireOwner owner;
        private @Nullable SelectionKey key;

        NioWire(SocketChannel channel, WireOwner owner) {
            this.channel = channel;
            this.owner = owner;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws SocketFailure {
            try {
                return channel.read(ByteBuffer.wrap(into, offset, length));
            } catch (IOException e) {
                throw failure(e, false);
            }
        }

        @Override
        public int write(byte[] from, int offset, int length) throws SocketFailure {
            try {
                int n = channel.write(ByteBuffer.wrap(from, offset, length));
                interest(
                        n < length
                                ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                                : SelectionKey.OP_READ);
                return n;
            } catch (IOException e) {
                throw failure(e, false);
            }
        }

        private void interest(int ops) {
            if (key != null && key.interestOps() != ops) {
                key.interestOps(ops);
            }
        }

        @Override
        public Progress finishConnect() throws SocketFailure {
            try {
                if (!channel.isConnected() && !channel.finishConnect()) {
                    return Progress.CONNECTING;
                }
                interest(SelectionKey.OP_READ);
                return Progress.DONE;
            } catch (IOException e) {
                throw failure(e, true);
            }
        }

        @Override
        public boolean mustReadOn() {
            return false;
        }

        @Override
        public boolean isEnding() {
            return false;
        }

        @Override
        public void close() {
            closeQuietly(channel);
        }
    }
}
