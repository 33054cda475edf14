package dev.jdyno.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.Incomplete.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GunzipTest {
    private static final byte[] TEXT =
            IntStream.range(0, 3000)
                    .mapToObj(i -> "line " + i * 7919 % 3001)
                    .collect(Collectors.joining("\n"))
                    .getBytes(StandardCharsets.UTF_8);

    /// @param letters the data, one letter for each byte
    private record Read(String letters, Optional<Kind> damage) {
        byte[] bytes() {
            return letters.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private static Read read(InputStream packed) throws IOException {
        try (var in = new Gunzip(packed)) {
            String letters = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return new Read(letters, in.damage());
        }
    }

    private static Read read(byte[] packed) throws IOException {
        return read(new ByteArrayInputStream(packed));
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void wholeFileHasNoDamage() throws IOException {
        Read read = read(GunzipFuzz.packed(TEXT));

        assertThat(read.bytes()).isEqualTo(TEXT);
        assertThat(read.damage()).isEmpty();
    }

    @Test
    void reportsTruncationAtAnyOffset() throws IOException {
        byte[] packed = GunzipFuzz.packed(TEXT);
        for (int length = 2; length < packed.length; length += 13) {
            Read read = read(Arrays.copyOf(packed, length));

            assertThat(read.damage()).as("%d bytes", length).contains(Kind.CUT);
            assertThat(read.bytes()).isEqualTo(Arrays.copyOf(TEXT, read.bytes().length));
        }
        assertThat(read(Arrays.copyOf(packed, packed.length - 1)).damage()).contains(Kind.CUT);
    }

    @Test
    void distinguishesCorruptFromTruncatedData() throws IOException {
        byte[] middle = GunzipFuzz.packed(TEXT);
        Arrays.fill(middle, middle.length / 2, middle.length / 2 + 20, (byte) 0xff);
        byte[] sum = GunzipFuzz.packed(TEXT);
        sum[sum.length - 6] ^= 1;

        Read begin = read(middle);
        assertThat(begin.damage()).contains(Kind.CORRUPT);
        assertThat(begin.bytes())
                .hasSizeBetween(TEXT.length / 3, 2 * TEXT.length / 3)
                .isEqualTo(Arrays.copyOf(TEXT, begin.bytes().length));
        assertThat(read(sum).damage()).contains(Kind.CORRUPT);
    }

    @Test
    void concatenatesMembersEvenFromSlowPipe() throws IOException {
        byte[] two = joined(GunzipFuzz.packed(TEXT), GunzipFuzz.packed(TEXT));
        var pipe =
                new InputStream() {
                    private final InputStream in = new ByteArrayInputStream(two);

                    @Override
                    public int read() throws IOException {
                        return in.read();
                    }

                    @Override
                    public int read(byte[] to, int from, int length) throws IOException {
                        return in.read(to, from, Math.min(length, 7));
                    }

                    @Override
                    public int available() {
                        return 0;
                    }
                };

        for (Read read : new Read[] {read(two), read(pipe)}) {
            assertThat(read.bytes()).isEqualTo(joined(TEXT, TEXT));
            assertThat(read.damage()).isEmpty();
        }
        assertThat(read(Arrays.copyOf(two, two.length / 2 + 5)).damage()).contains(Kind.CUT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 512})
    void ignoresPaddingAfterData(int bytes) throws IOException {
        Read read = read(joined(GunzipFuzz.packed(TEXT), new byte[bytes]));

        assertThat(read.bytes()).isEqualTo(TEXT);
        assertThat(read.damage()).isEmpty();
    }

    @Test
    void decompressionBombIsReadOnlyUpToItsLimit() throws IOException {
        byte[] bomb = GunzipFuzz.packed(new byte[32 << 20]);
        try (var in = new Gunzip(new ByteArrayInputStream(bomb), 1 << 20)) {
            assertThat(in.readAllBytes().length).isLessThan(16 << 20);
            assertThat(in.damage()).contains(Kind.BOMB);
        }
        byte[] noise = new byte[4 << 20];
        new SplittableRandom(3).nextBytes(noise);
        try (var in = new Gunzip(new ByteArrayInputStream(GunzipFuzz.packed(noise)), 1 << 20)) {
            assertThat(in.readAllBytes()).isEqualTo(noise);
            assertThat(in.damage()).isEmpty();
        }
    }
}
