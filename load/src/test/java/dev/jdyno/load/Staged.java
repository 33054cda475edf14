package dev.jdyno.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// One reply in parts. After the client has read a part, its clock moves by {@link #APART}. So the
/// intervals are known on a machine of any speed.
final class Staged {
    /// Much longer than any test.
    static final Duration APART = Duration.ofMinutes(10);

    private static final int SETTINGS_BYTES = 9;

    private final AtomicLong skipped = new AtomicLong();
    private final Semaphore next = new Semaphore(0);
    private final List<byte[]> parts;

    private Staged(List<byte[]> parts) {
        this.parts = parts;
    }

    static byte[] text(String part) {
        return part.getBytes(StandardCharsets.ISO_8859_1);
    }

    private interface Out {
        void write(byte[] part) throws IOException;
    }

    private void send(Out out) throws IOException {
        out.write(parts.getFirst());
        for (byte[] part : parts.subList(1, parts.size())) {
            next.acquireUninterruptibly();
            out.write(part);
        }
    }

    /// The client's measurement of one request over HTTP/1.1.
    static LoadWindow http1(List<byte[]> parts, Changes changes) throws IOException {
        var staged = new Staged(parts);
        try (var server =
                new ScriptedServer((_, out) -> {
                    staged.send(out::write);
                    return true;
                })) {
            return staged.load(changes.of(LoadSpec.to(server.url())), 0);
        }
    }

    /// The same over HTTP/2, in frames of stream 1.
    static LoadWindow http2(List<byte[]> parts, Changes changes) throws IOException {
        var staged = new Staged(parts);
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (_, number, peer) -> {
                            if (number == 1) {
                                staged.send(peer::raw);
                            }
                        })) {
            return staged.load(changes.of(LoadSpec.to(server.url()).http2(1)), SETTINGS_BYTES);
        }
    }

    interface Changes {
        LoadSpecBuilder of(LoadSpecBuilder spec);
    }

    private LoadWindow load(LoadSpecBuilder spec, int before) {
        var one = spec.loops(1).requestTimeout(Duration.ofDays(1)).mostRequests(1).build();
        try (var session = LoadSession.start(one, () -> System.nanoTime() + skipped.get())) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            LoadWindow sum = null;
            long read = before;
            for (byte[] part : parts.subList(0, parts.size() - 1)) {
                read += part.length;
                long wanted = read - (sum == null ? 0 : sum.bytesRead());
                LoadWindow seen = Taken.until(session, w -> w.bytesRead() >= wanted);
                sum = sum == null ? seen : sum.plus(seen);
                skipped.addAndGet(APART.toNanos());
                next.release();
            }
            LoadWindow last = Taken.all(session);
            return sum == null ? last : sum.plus(last);
        }
    }
}
