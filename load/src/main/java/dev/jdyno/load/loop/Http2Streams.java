package dev.jdyno.load.loop;

import dev.jdyno.load.http2.Http2FrameReader;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.request.Http2Request;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.FailureReason;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open streams of one connection and their limits: the number of streams and the windows of
/// flow control (RFC 9113 §5.1.2, §5.2). Requests above the number of streams wait in a queue.
final class Http2Streams {
    static final int DEFAULT_WINDOW = 65_535;
    static final int LARGEST_ID = Integer.MAX_VALUE;

    private final Http2Frames out;
    private final ArrayDeque<Http2Stream> queue = new ArrayDeque<>();

    /// Open streams, indexed by `id / 2` modulo the length. An id whose index is still in use is
    /// skipped, as §5.1.1 allows, so no probing is needed.
    private final @Nullable Http2Stream[] open;

    private int active;
    private int lastId = -1;
    private int most = Integer.MAX_VALUE;
    private int peerWindow = DEFAULT_WINDOW;
    private int peerFrame = Http2FrameReader.LONGEST;
    private long sendWindow = DEFAULT_WINDOW;

    /// Number of body bytes of all requests that were passed to the connection.
    private long bodyBytes;

    /// @param atOnce maximum number of streams that this client opens at a time
    Http2Streams(Http2Frames out, int atOnce) {
        this.out = out;
        int places = Math.max(8, 2 * atOnce);
        this.open = new Http2Stream[Integer.highestOneBit(places - 1) << 1];
    }

    /// True if the server allows no further stream now.
    boolean isFull() {
        return active >= most;
    }

    /// Maximum number of streams that the server allows at a time.
    int most() {
        return most;
    }

    /// True if the stream numbers are nearly used up. A new connection starts with new numbers.
    boolean isExhausted() {
        return lastId > LARGEST_ID - 2 * open.length;
    }

    boolean wasOpened(int id) {
        return id > 0 && id <= lastId;
    }

    @Nullable Http2Stream find(int id) {
        Http2Stream stream = open[place(id)];
        return stream != null && stream.id == id ? stream : null;
    }

    private int place(int id) {
        return (id >>> 1) & (open.length - 1);
    }

    void enqueue(Http2Stream stream) {
        stream.queued = true;
        queue.add(stream);
    }

    void dequeue(Http2Stream stream) {
        if (stream.queued) {
            stream.queued = false;
            queue.remove(stream);
        }
    }

    /// Adds the waiting requests, the oldest first.
    void addQueued(List<Http2Stream> to) {
        to.addAll(queue);
    }

    /// Removes and returns the request that has waited longest; null if none waits or none may be
    /// sent now.
    @Nullable Http2Stream next() {
        return isFull() ? null : queue.poll();
    }

    /// Opens a stream and sends its head and as much of its body as the windows allow.
    void start(Http2Stream stream, long now) {
        do {
            lastId += 2;
        } while (open[place(lastId)] != null);
        open[place(lastId)] = stream;
        active++;
        stream.id = lastId;
        stream.queued = false;
        stream.openedNanos = now;
        stream.sendWindow = peerWindow;
        sendHead(stream);
        sendBody(stream);
    }

    private void sendHead(Http2Stream stream) {
        byte[] request = stream.request;
        int left = Http2Request.headLength(request);
        int at = Http2Request.LENGTH_BYTES;
        stream.given = at + left;
        int end = stream.bodyLeft() == 0 ? Http2Frames.END_STREAM : 0;
        int type = Http2Frames.HEADERS;
        do {
            int n = Math.min(left, peerFrame);
            left -= n;
            int flags = end | (left == 0 ? Http2Frames.END_HEADERS : 0);
            out.header(type, flags, stream.id, n).raw(request, at, n);
            at += n;
            end = 0;
            type = Http2Frames.CONTINUATION;
        } while (left > 0);
        stream.headEnd = out.put();
    }

    private void sendBody(Http2Stream stream) {
        while (stream.bodyLeft() > 0) {
            long most = Math.min(peerFrame, Math.min(sendWindow, stream.sendWindow));
            int n = (int) Math.min(stream.bodyLeft(), most);
            if (n <= 0) {
                return;
            }
            int flags = n == stream.bodyLeft() ? Http2Frames.END_STREAM : 0;
            out.header(Http2Frames.DATA, flags, stream.id, n).raw(stream.request, stream.given, n);
            stream.given += n;
            stream.sendWindow -= n;
            sendWindow -= n;
            bodyBytes += n;
        }
    }

    private void sendBodies() {
        for (Http2Stream stream : open) {
            if (stream != null) {
                sendBody(stream);
            }
        }
    }

    void reset(int id, int code) {
        out.header(Http2Frames.RST_STREAM, 0, id, 4).integer(code);
    }

    void release(Http2Stream stream) {
        open[place(stream.id)] = null;
        stream.id = 0;
        active--;
    }

    /// Number of body bytes that were passed to the connection since it began.
    long bodyBytes() {
        return bodyBytes;
    }

    /// Applies one setting of the server. Other settings concern functions that this client does
    /// not use.
    void setting(int id, int value) throws SocketFailure {
        switch (id) {
            case Http2Frames.SETTINGS_MAX_CONCURRENT_STREAMS ->
                    most = value < 0 ? Integer.MAX_VALUE : value;
            case Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE -> startWindow(value);
            case Http2Frames.SETTINGS_MAX_FRAME_SIZE -> {
                if (value < Http2FrameReader.LONGEST || value >= 1 << 24) {
                    throw SocketFailure.malformed(
                            FailureReason.SETTING_INVALID,
                            "a largest frame of " + value + " bytes");
                }
                peerFrame = value;
            }
            default -> {}
        }
    }

    /// Changes the windows of open streams too, possibly to a negative value (§6.9.2).
    private void startWindow(int value) throws SocketFailure {
        if (value < 0) {
            throw SocketFailure.malformed(FailureReason.WINDOW_INVALID);
        }
        for (Http2Stream stream : open) {
            if (stream != null) {
                stream.sendWindow += value - peerWindow;
            }
        }
        peerWindow = value;
        sendBodies();
    }

    /// Called when the server enlarges the window of a stream, or of the connection (0).
    void window(int id, int increment) throws SocketFailure {
        int more = increment & 0x7fff_ffff;
        if (id == 0) {
            sendWindow += more;
            if (more == 0 || sendWindow > Integer.MAX_VALUE) {
                throw SocketFailure.malformed(FailureReason.WINDOW_INVALID);
            }
            sendBodies();
            return;
        }
        Http2Stream stream = find(id);
        if (stream != null) {
            stream.sendWindow += more;
            sendBody(stream);
        }
    }
}
