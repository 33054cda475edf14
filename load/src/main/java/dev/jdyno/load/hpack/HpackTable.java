package dev.jdyno.load.hpack;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The header table of one direction of a connection: the 61 fixed entries (RFC 7541, appendix A),
/// followed by the entries that the peer has added, newest first. The entries are bytes in one
/// array, so that adding and evicting allocate nothing.
public final class HpackTable {
    /// The default of SETTINGS_HEADER_TABLE_SIZE. This client does not send another value.
    static final int MAX_BYTES = 4096;

    /// The size of an entry in addition to its bytes (§4.1).
    private static final int ENTRY_OVERHEAD = 32;

    private static final int RING = MAX_BYTES / ENTRY_OVERHEAD;

    // spotless:off
    private static final String[] FIXED = {
        ":authority",
        "",
        ":method",
        "GET",
        ":method",
        "POST",
        ":path",
        "/",
        ":path",
        "/index.html",
        ":scheme",
        "http",
        ":scheme",
        "https",
        ":status",
        "200",
        ":status",
        "204",
        ":status",
        "206",
        ":status",
        "304",
        ":status",
        "400",
        ":status",
        "404",
        ":status",
        "500",
        "accept-charset",
        "",
        "accept-encoding",
        "gzip, deflate",
        "accept-language",
        "",
        "accept-ranges",
        "",
        "accept",
        "",
        "access-control-allow-origin",
        "",
        "age",
        "",
        "allow",
        "",
        "authorization",
        "",
        "cache-control",
        "",
        "content-disposition",
        "",
        "content-encoding",
        "",
        "content-language",
        "",
        "content-length",
        "",
        "content-location",
        "",
        "content-range",
        "",
        "content-type",
        "",
        "cookie",
        "",
        "date",
        "",
        "etag",
        "",
        "expect",
        "",
        "expires",
        "",
        "from",
        "",
        "host",
        "",
        "if-match",
        "",
        "if-modified-since",
        "",
        "if-none-match",
        "",
        "if-range",
        "",
        "if-unmodified-since",
        "",
        "last-modified",
        "",
        "link",
        "",
        "location",
        "",
        "max-forwards",
        "",
        "proxy-authenticate",
        "",
        "proxy-authorization",
        "",
        "range",
        "",
        "referer",
        "",
        "refresh",
        "",
        "retry-after",
        "",
        "server",
        "",
        "set-cookie",
        "",
        "strict-transport-security",
        "",
        "transfer-encoding",
        "",
        "user-agent",
        "",
        "vary",
        "",
        "via",
        "",
        "www-authenticate",
        "",
    };
    // spotless:on

    public static final int FIXED_COUNT = FIXED.length / 2;

    private static final byte[][] FIXED_BYTES = new byte[FIXED.length][];

    /// Index of the first entry for each fixed name, and the index of each fixed `name\0value`.
    private static final Map<String, Integer> INDEX = new HashMap<>();

    static {
        for (int i = 0; i < FIXED.length; i += 2) {
            FIXED_BYTES[i] = FIXED[i].getBytes(StandardCharsets.US_ASCII);
            FIXED_BYTES[i + 1] = FIXED[i + 1].getBytes(StandardCharsets.US_ASCII);
            INDEX.putIfAbsent(FIXED[i], i / 2 + 1);
            INDEX.put(FIXED[i] + '\0' + FIXED[i + 1], i / 2 + 1);
        }
    }

    /// Twice the size of the table, so that its entries must be moved to the front only every 4
    /// KiB.
    private final byte[] bytes = new byte[2 * MAX_BYTES];

    private final int[] starts = new int[RING];
    private final int[] nameLengths = new int[RING];
    private final int[] valueLengths = new int[RING];
    private int newest;
    private int count;
    private int end;
    private int size;
    private int max = MAX_BYTES;

    /// The index of the first fixed entry with this name; 0 if none exists.
    public static int fixedName(String name) {
        return INDEX.getOrDefault(name, 0);
    }

    /// The index of the fixed entry with this name and value; 0 if none exists.
    public static int fixedField(String name, String value) {
        return INDEX.getOrDefault(name + '\0' + value, 0);
    }

    /// Number of added entries.
    int count() {
        return count;
    }

    /// Size of the added entries in bytes, as RFC 7541 counts them.
    int size() {
        return size;
    }

    /// Changes the maximum size of the added entries (§4.3).
    void resize(int maxBytes) throws HpackMalformed {
        if (maxBytes > MAX_BYTES) {
            throw new HpackMalformed("a header table larger than was allowed: " + maxBytes);
        }
        max = maxBytes;
        evictTo(max);
    }

    /// Adds a field; its bytes must lie outside the table.
    void add(byte[] b, int name, int nameLength, int value, int valueLength) {
        int cost = nameLength + valueLength + ENTRY_OVERHEAD;
        evictTo(max - cost);
        if (cost > max) {
            return; // the field empties the table and is not added (§4.4)
        }
        if (end + nameLength + valueLength > bytes.length) {
            compact();
        }
        newest = (newest + 1) % RING;
        starts[newest] = end;
        nameLengths[newest] = nameLength;
        valueLengths[newest] = valueLength;
        System.arraycopy(b, name, bytes, end, nameLength);
        System.arraycopy(b, value, bytes, end + nameLength, valueLength);
        end += nameLength + valueLength;
        size += cost;
        count++;
    }

    private void evictTo(int target) {
        while (count > 0 && size > target) {
            int oldest = slot(count - 1);
            size -= nameLengths[oldest] + valueLengths[oldest] + ENTRY_OVERHEAD;
            count--;
        }
    }

    private void compact() {
        int from = count == 0 ? end : starts[slot(count - 1)];
        System.arraycopy(bytes, from, bytes, 0, end - from);
        for (int i = 0; i < count; i++) {
            starts[slot(i)] -= from;
        }
        end -= from;
    }

    private int slot(int age) {
        return (newest - age + RING) % RING;
    }

    private int slotOf(int index) throws HpackMalformed {
        int age = index - FIXED_COUNT - 1;
        if (index < 1 || age >= count) {
            throw new HpackMalformed("header table entry " + index + " of " + (61 + count));
        }
        return slot(age);
    }

    /// Passes an entry to the receiver. Indexes start at 1.
    void give(int index, HpackDecoder.Fields to) throws HpackMalformed {
        if (index >= 1 && index <= FIXED_COUNT) {
            byte[] name = FIXED_BYTES[2 * index - 2];
            byte[] value = FIXED_BYTES[2 * index - 1];
            to.field(name, 0, name.length, value, 0, value.length);
            return;
        }
        int slot = slotOf(index);
        int value = starts[slot] + nameLengths[slot];
        to.field(bytes, starts[slot], nameLengths[slot], bytes, value, valueLengths[slot]);
    }

    int nameLength(int index) throws HpackMalformed {
        return index >= 1 && index <= FIXED_COUNT
                ? FIXED_BYTES[2 * index - 2].length
                : nameLengths[slotOf(index)];
    }

    void copyName(int index, byte[] into, int at) throws HpackMalformed {
        if (index >= 1 && index <= FIXED_COUNT) {
            byte[] name = FIXED_BYTES[2 * index - 2];
            System.arraycopy(name, 0, into, at, name.length);
        } else {
            int slot = slotOf(index);
            System.arraycopy(bytes, starts[slot], into, at, nameLengths[slot]);
        }
    }
}
