package dev.jdyno.load.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.ScriptedHttp2Server;
import dev.jdyno.load.http2.Http2FrameReader;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.Progress;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.NanoClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A connection that always has more data to read must not occupy the event loop alone. The server
/// is a simulated connection that always has another full buffer.
class UnreadTest {
    private static final int TURNS = 50;

    /// A frame of an unknown type, which HTTP/2 ignores. In HTTP/1.1, these bytes belong to a body.
    private static final byte[] FRAME =
            ScriptedHttp2Server.bytes(0x77, 0, 0, new byte[Http2FrameReader.LONGEST]);

    /// Reports its only connection once, as edge-triggered epoll does, and ends the loop after some
    /// turns.
    private static final class Endless implements Poller, Wire {
        private final boolean http2;
        private Optional<WireOwner> toReport = Optional.empty();
        private Optional<EventLoop> loop = Optional.empty();
        private int place;
        private int turns;
        private int readsInTurn;
        private int mostReads;
        private long reads;

        Endless(boolean http2) {
            this.http2 = http2;
        }

        @Override
        public Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner) {
            toReport = Optional.of(owner);
            return this;
        }

        @Override
        public int poll(long timeoutNanos) {
            mostReads = Math.max(mostReads, readsInTurn);
            readsInTurn = 0;
            if (reads > 0 && ++turns == TURNS) {
                loop.orElseThrow().stop();
            }
            return toReport.isPresent() ? 1 : 0;
        }

        @Override
        public WireOwner ready(int i) {
            WireOwner owner = toReport.orElseThrow();
            if (reads > 0) {
                toReport = Optional.empty();
            }
            return owner;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            readsInTurn++;
            if (reads++ == 0) {
                byte[] start =
                        http2
                                ? ScriptedHttp2Server.bytes(Http2Frames.SETTINGS, 0, 0, new byte[0])
                                : "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(start, 0, into, offset, start.length);
                if (!http2) {
                    return length; // the rest is body
                }
                return start.length;
            }
            for (int at = offset; at < offset + length; at++) {
                into[at] = FRAME[place];
                place = (place + 1) % FRAME.length;
            }
            return length;
        }

        @Override
        public boolean mustReadOn() {
            return true;
        }

        @Override
        public int write(byte[] from, int offset, int length) {
            return length;
        }

        @Override
        public Progress finishConnect() {
            return Progress.DONE;
        }

        @Override
        public boolean isEnding() {
            return false;
        }

        @Override
        public void wakeup() {}

        @Override
        public String name() {
            return "endless";
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endlessConnectionDoesNotBlockTheEventLoop(boolean http2) {
        LoadSpecBuilder spec =
                LoadSpec.to(URI.create("http://127.0.0.1:1/"))
                        .loops(1)
                        .mostReplyBytes(Long.MAX_VALUE / 2);
        var endless = new Endless(http2);
        LoadSpec built = http2 ? spec.http2(1).build() : spec.build();
        var loop =
                new EventLoop(
                        0,
                        built,
                        endless,
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
                        Optional.empty(),
                        Optional.empty(),
                        new RequestBudget(Optional.empty()),
                        new SplittableRandom(1),
                        NanoClock.SYSTEM);
        endless.loop = Optional.of(loop);
        loop.execute(() -> loop.apply(new Level.Closed(1, Duration.ZERO), 1, 1));

        loop.run();

        assertThat(loop.failure()).isEmpty();
        assertThat(endless.turns).isEqualTo(TURNS);
        assertThat(endless.mostReads).isLessThanOrEqualTo(2 * Unread.MAX_READS);
        assertThat(endless.reads)
                .as("it is read on without another report of the poller")
                .isGreaterThan((long) (TURNS - 2) * Unread.MAX_READS);
    }
}
