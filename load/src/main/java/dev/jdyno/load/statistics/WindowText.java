package dev.jdyno.load.statistics;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// A {@link LoadWindow} as one line of text, which another process adds to its own windows: JSON
/// with histograms compressed (HdrHistogram's V2 form) in base64, without loss.
public final class WindowText {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(Histogram.class, new Writer())
                                    .addDeserializer(Histogram.class, new Reader()))
                    .build();

    private static final int COMPRESSED_AT = 8;
    private static final int HEAD_BYTES = 40;
    private static final int LENGTH_AT = 4;
    private static final int DIGITS_AT = 12;

    /// Maximum number of significant digits of a histogram. With three digits it takes at most half
    /// a megabyte.
    private static final int MAX_DIGITS = 3;

    /// Maximum size of one histogram in bytes, compressed or not.
    private static final int MAX_BYTES = 1 << 20;

    private WindowText() {}

    public static String of(LoadWindow window) {
        return JSON.writeValueAsString(window);
    }

    /// @throws IllegalArgumentException if the line is no window
    public static LoadWindow parse(String line) {
        try {
            return JSON.readValue(line, LoadWindow.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a window: " + e.getOriginalMessage(), e);
        }
    }

    private static final class Writer extends ValueSerializer<Histogram> {
        @Override
        public void serialize(Histogram h, JsonGenerator to, SerializationContext context) {
            ByteBuffer buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
            int length = h.encodeIntoCompressedByteBuffer(buffer);
            to.writeString(Base64.getEncoder().encodeToString(copy(buffer, length)));
        }

        private static byte[] copy(ByteBuffer buffer, int length) {
            byte[] bytes = new byte[length];
            buffer.get(0, bytes);
            return bytes;
        }
    }

    private static final class Reader extends ValueDeserializer<Histogram> {
        @Override
        public Histogram deserialize(JsonParser from, DeserializationContext context) {
            try {
                byte[] bytes = Base64.getDecoder().decode(from.getString());
                check(bytes);
                Histogram sum = LoopStats.histogram(); // grows, unlike a decoded one
                sum.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
                return sum;
            } catch (DataFormatException e) {
                throw new IllegalArgumentException("not a histogram", e);
            }
        }

        /// Checks the header of a histogram, which determines the memory it takes. In
        /// HdrHistogram's V2 form it has a cookie and a length, and compressed: cookie, length,
        /// offset, digits, lowest, highest, ratio.
        private static void check(byte[] bytes) throws DataFormatException {
            if (bytes.length < COMPRESSED_AT || bytes.length > MAX_BYTES) {
                throw new DataFormatException(bytes.length + " bytes");
            }
            byte[] head = new byte[HEAD_BYTES];
            var inflater = new Inflater();
            try {
                inflater.setInput(bytes, COMPRESSED_AT, bytes.length - COMPRESSED_AT);
                if (inflater.inflate(head) < HEAD_BYTES) {
                    throw new DataFormatException("it ends early");
                }
            } finally {
                inflater.end();
            }
            int length = ByteBuffer.wrap(head).getInt(LENGTH_AT);
            int digits = ByteBuffer.wrap(head).getInt(DIGITS_AT);
            if (digits < 0 || digits > MAX_DIGITS || length < 0 || length > MAX_BYTES) {
                throw new DataFormatException(digits + " digits, " + length + " bytes");
            }
        }
    }
}
