package dev.jdyno.load.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.ScriptedHttp2Server;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.Progress;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.NanoClock;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A write is a system call. So all answers to the PING and SETTINGS frames of one read are sent in
/// one write.
class AnswersTogetherTest {
    /// A connection that gives one script entry for each read, and counts the writes between reads.
    private static final class Scripted implements Poller, Wire {
        final List<List<Integer>> writesAfterRead = new ArrayList<>();

        private final Queue<byte[]> script;
        private Optional<WireOwner> owner = Optional.empty();
        private Optional<EventLoop> loop = Optional.empty();

        Scripted(Queue<byte[]> script) {
            this.script = script;
        }

        @Override
        public Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner) {
            this.owner = Optional.of(owner);
            return this;
        }

        @Override
        public int poll(long timeoutNanos) {
            if (script.isEmpty()) {
                loop.orElseThrow().stop();
            }
            return owner.isPresent() ? 1 : 0;
        }

        @Override
        public WireOwner ready(int i) {
            return owner.orElseThrow();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            byte[] next = script.poll();
            if (next == null) {
                return 0;
            }
            writesAfterRead.add(new ArrayList<>());
            System.arraycopy(next, 0, into, offset, next.length);
            return next.length;
        }

        @Override
        public boolean mustReadOn() {
            return true;
        }

        @Override
        public int write(byte[] from, int offset, int length) {
            if (!writesAfterRead.isEmpty()) {
                writesAfterRead.getLast().add(length);
            }
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
            return "scripted";
        }

        @Override
        public void close() {}
    }

    /// 3,800 PING frames nearly fill one read.
    @ParameterizedTest
    @CsvSource({"6, 8, 1", "6, 8, 300", "6, 8, 3800", "4, 0, 300", "4, 0, 7000"})
    void answersToOneReadAreSentInOneWrite(int type, int length, int questions) {
        byte[] start = ScriptedHttp2Server.bytes(Http2Frames.SETTINGS, 0, 0, new byte[0]);
        var flood = new ByteArrayOutputStream();
        for (int i = 0; i < questions; i++) {
            flood.writeBytes(ScriptedHttp2Server.bytes(type, 0, 0, new byte[length]));
        }
        var wire =
                new Scripted(
                        new ArrayDeque<>(List.of(start, flood.toByteArray(), flood.toByteArray())));
        var loop =
                new EventLoop(
                        0,
                        LoadSpec.to(URI.create("http://127.0.0.1:1/")).loops(1).http2(1).build(),
                        wire,
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
                        Optional.empty(),
                        Optional.empty(),
                        new RequestBudget(Optional.empty()),
                        new SplittableRandom(1),
                        NanoClock.SYSTEM);
        wire.loop = Optional.of(loop);
        loop.execute(() -> loop.apply(new Level.Closed(1, Duration.ZERO), 1, 1));

        loop.run();

        int answers = questions * (Http2Frames.HEADER_BYTES + length);
        assertThat(loop.failure()).isEmpty();
        assertThat(wire.writesAfterRead).hasSize(3);
        assertThat(wire.writesAfterRead.subList(1, 3))
                .containsExactly(List.of(answers), List.of(answers));
    }
}
