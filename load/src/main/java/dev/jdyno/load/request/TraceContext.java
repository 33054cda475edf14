package dev.jdyno.load.request;

import dev.jdyno.load.request.LoadSpec.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// The `traceparent` of one user's requests (W3C Trace Context, level 1): version 00, a trace id, a
/// request id, and the flag sampled. A request is encoded once and its ids are overwritten in
/// place. This costs some ns per request and one copy of the request per user.
public final class TraceContext {
    static final String NAME = "traceparent";

    /// Placeholder for the ids, with values that are not valid.
    private static final String PLACE = "00-00000000000000000000000000000000-0000000000000000-01";

    private static final byte[] PLACE_BYTES = PLACE.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int HIGH_AT = 3;
    private static final int LOW_AT = HIGH_AT + 16;
    private static final int REQUEST_AT = LOW_AT + 17;
    private static final byte[] NOTHING = new byte[0];

    private final RandomGenerator random;
    private byte[] given = NOTHING;
    private byte[] own = NOTHING;
    private int place = -1;
    private long high;
    private long low;

    public TraceContext(RandomGenerator random) {
        this.random = random;
    }

    /// The request with a placeholder for its ids; unchanged if it already has a `traceparent`.
    static RequestParts in(RequestParts request) {
        if (RequestText.has(request.headers(), NAME)) {
            return request;
        }
        List<Header> headers = new ArrayList<>(request.headers());
        headers.add(new Header(NAME, PLACE));
        return new RequestParts(request.method(), request.target(), headers, request.body());
    }

    /// Writes new ids into a request.
    ///
    /// @param request the encoded request; it is not changed
    /// @param sameTrace true if the request belongs to the trace of the last request: a redirect or
    ///   a poll
    @SuppressWarnings("ReferenceEquality") // the same array again is the same request
    public byte[] mark(byte[] request, boolean sameTrace) {
        if (request != given) {
            given = request;
            place = find(request);
            own = place < 0 ? NOTHING : request.clone();
        }
        if (!sameTrace) {
            do {
                high = random.nextLong();
                low = random.nextLong();
            } while ((high | low) == 0);
        }
        if (place < 0) {
            return request;
        }
        hex(high, place + HIGH_AT);
        hex(low, place + LOW_AT);
        long id = random.nextLong();
        hex(id == 0 ? 1 : id, place + REQUEST_AT);
        return own;
    }

    /// True if the last request has a trace id and a request id.
    public boolean isMarked() {
        return place >= 0;
    }

    /// Upper half of the trace id.
    public long high() {
        return high;
    }

    /// Lower half of the trace id.
    public long low() {
        return low;
    }

    private static int find(byte[] request) {
        int last = request.length - PLACE_BYTES.length;
        for (int at = 0; at <= last; at++) {
            if (Arrays.equals(
                    request, at, at + PLACE_BYTES.length, PLACE_BYTES, 0, PLACE_BYTES.length)) {
                return at;
            }
        }
        return -1;
    }

    private void hex(long value, int at) {
        for (int i = 0; i < 16; i++) {
            own[at + i] = DIGITS[(int) (value >>> (60 - 4 * i)) & 15];
        }
    }
}
