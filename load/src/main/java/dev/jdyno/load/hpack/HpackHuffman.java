package dev.jdyno.load.hpack;

/// Decodes the Huffman code of HPACK (RFC 7541, appendix B). The code is canonical (§5.2), so the
/// lengths of its 257 codes define it. Codes of up to 8 bits cover nearly every character of a
/// header; a table finds them in one step.
final class HpackHuffman {
    private static final int END_OF_STRING = 256;
    private static final int LONGEST = 30;
    private static final int LOOKED_UP = 8;

    // spotless:off
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30
    };

    // spotless:on

    /// For each code length: the first code, the number of codes, and the position of their first
    /// symbol in {@link #SYMBOLS}.
    private static final int[] FIRST = new int[LONGEST + 1];

    private static final int[] COUNT = new int[LONGEST + 1];
    private static final int[] START = new int[LONGEST + 1];

    /// Symbols, sorted by the length of their code, then by value.
    private static final short[] SYMBOLS = new short[LENGTHS.length];

    /// Indexed by the next 8 bits: `length << 8 | symbol` of the code at their start; 0 if that
    /// code is longer.
    private static final short[] SHORT = new short[1 << LOOKED_UP];

    static {
        for (byte length : LENGTHS) {
            COUNT[length]++;
        }
        int code = 0;
        int at = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code <<= 1;
            FIRST[length] = code;
            START[length] = at;
            for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
                if (LENGTHS[symbol] == length) {
                    SYMBOLS[at++] = (short) symbol;
                    if (length <= LOOKED_UP) {
                        int from = code << (LOOKED_UP - length);
                        int to = (code + 1) << (LOOKED_UP - length);
                        java.util.Arrays.fill(SHORT, from, to, (short) ((length << 8) | symbol));
                    }
                    code++;
                }
            }
        }
    }

    private HpackHuffman() {}

    /// Maximum number of bytes that `length` encoded bytes can decode to: the shortest code has 5
    /// bits.
    static int maxDecoded(int length) {
        return (int) (length * 8L / 5);
    }

    /// Decodes `b[from…to)` into `into`, starting at `at`. The target must have {@link #maxDecoded}
    /// free bytes.
    ///
    /// @return the index after the last decoded byte
    static int decode(byte[] b, int from, int to, byte[] into, int at) throws HpackMalformed {
        long bits = 0;
        int left = 0;
        int next = from;
        int out = at;
        while (true) {
            while (left <= 48 && next < to) {
                bits = (bits << 8) | (b[next++] & 0xff);
                left += 8;
            }
            int found = SHORT[window(bits, left)];
            int length = found >>> 8;
            int symbol = found & 0xff;
            if (found == 0) {
                length = longLength(bits, left);
                symbol =
                        length > left
                                ? END_OF_STRING
                                : SYMBOLS[START[length] + code(bits, left, length) - FIRST[length]];
            }
            if (length > left) {
                break;
            }
            if (symbol == END_OF_STRING) {
                throw new HpackMalformed("a string with the end-of-string symbol in it");
            }
            into[out++] = (byte) symbol;
            left -= length;
        }
        // the padding is less than a byte, of the first bits of the end-of-string code (§5.2)
        if (left >= 8 || code(bits, left, left) != (1 << left) - 1) {
            throw new HpackMalformed("a string whose padding is not ones");
        }
        return out;
    }

    /// The next 8 bits. Bits after the end are filled with ones.
    private static int window(long bits, int left) {
        return left >= LOOKED_UP
                ? code(bits, left, LOOKED_UP)
                : (int) ((bits << (LOOKED_UP - left)) | (0xff >>> left)) & 0xff;
    }

    private static int code(long bits, int left, int length) {
        return (int) (bits >>> (left - length)) & ((1 << length) - 1);
    }

    /// Length of the next code, which has more than 8 bits. The result is greater than `left` if
    /// the code is incomplete.
    private static int longLength(long bits, int left) {
        for (int length = LOOKED_UP + 1; length <= Math.min(left, LONGEST); length++) {
            int past = code(bits, left, length) - FIRST[length];
            if (past >= 0 && past < COUNT[length]) {
                return length;
            }
        }
        return left + 1;
    }
}
