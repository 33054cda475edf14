package dev.jdyno.foreign;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// Compressed data that the JDK's own reader accepts must give at least the same bytes here. (The
/// JDK leaves out further members that are very short or have a wrong header checksum.)
public final class GunzipFuzz {
    private GunzipFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try (var in = new Gunzip(new ByteArrayInputStream(input), 1 << 20)) {
            byte[] ours = in.readAllBytes();
            byte[] theirs;
            try (var jdk = new GZIPInputStream(new ByteArrayInputStream(input))) {
                theirs = jdk.readNBytes(8 << 20);
            } catch (IOException refused) {
                return;
            }
            boolean begins =
                    ours.length >= theirs.length
                            && Arrays.equals(Arrays.copyOf(ours, theirs.length), theirs);
            if (in.damage().isEmpty() && !begins) {
                throw new IllegalStateException(ours.length + " bytes, not " + theirs.length);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    public static List<byte[]> seeds() throws IOException {
        byte[] text =
                "a line of a log\n".repeat(50).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] noise = new byte[500];
        new SplittableRandom(1).nextBytes(noise);
        var two = new ByteArrayOutputStream();
        two.writeBytes(packed(text));
        two.writeBytes(packed(noise));
        var padded = new ByteArrayOutputStream();
        padded.writeBytes(packed(text));
        padded.writeBytes(new byte[100]);
        return List.of(packed(text), packed(noise), two.toByteArray(), padded.toByteArray());
    }

    static byte[] packed(byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }
}
