package dev.jdyno.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Random changes of given inputs, equal for equal seeds. The long fuzzing runs use Jazzer instead.
final class Mutations {
    private static final int MAX_CHANGES = 6;
    private static final int LONGEST_RUN = 400;

    /// Texts that parsers often handle wrongly.
    private static final List<String> WORDS =
            List.of(
                    "99999999999999999999999999",
                    "-1",
                    "0",
                    "1e999",
                    "NaN",
                    "\0",
                    "\n",
                    "\r",
                    "\t",
                    " ",
                    "%",
                    "\\",
                    "\"",
                    "'",
                    "[",
                    "]",
                    "{",
                    "}",
                    ":",
                    "- ",
                    "&a ",
                    "*a",
                    "<<: ",
                    "---\n",
                    "%YAML 9.9\n",
                    "!!",
                    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
                    "&b;",
                    "\ud83d\ude00",
                    "null",
                    "(((((");

    private final SplittableRandom random;
    private final List<byte[]> seeds;

    /// @param seeds at least one
    Mutations(List<byte[]> seeds, long seed) {
        this.seeds = seeds;
        this.random = new SplittableRandom(seed);
    }

    byte[] next() {
        byte[] input = any(seeds);
        for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] changed(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int behind = Math.min(input.length, at + random.nextInt(LONGEST_RUN));
        return switch (random.nextInt(8)) {
            case 0 -> joined(input, at, new byte[0], behind);
            case 1 -> joined(input, at, word(), at);
            case 2 -> joined(input, at, word(), Math.min(input.length, at + 1));
            case 3 ->
                    joined(
                            input,
                            at,
                            new byte[] {(byte) random.nextInt()},
                            Math.min(input.length, at + 1));
            case 4 -> joined(input, behind, part(input, at, behind), behind);
            case 5 -> {
                byte[] other = any(seeds);
                int from = random.nextInt(other.length + 1);
                yield joined(
                        input,
                        at,
                        part(other, from, Math.min(other.length, from + LONGEST_RUN)),
                        behind);
            }
            case 6 -> part(input, 0, at);
            default -> {
                byte[] flipped = input.clone();
                if (at < flipped.length) {
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                }
                yield flipped;
            }
        };
    }

    private byte[] any(List<byte[]> all) {
        return all.get(random.nextInt(all.size()));
    }

    private byte[] word() {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        int times = random.nextInt(20) == 0 ? random.nextInt(5000) : 1;
        return word.repeat(times).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] part(byte[] input, int from, int to) {
        return java.util.Arrays.copyOfRange(input, from, to);
    }

    private static byte[] joined(byte[] input, int to, byte[] middle, int from) {
        var joined = new ByteArrayOutputStream();
        joined.write(input, 0, to);
        joined.writeBytes(middle);
        joined.write(input, from, input.length - from);
        return joined.toByteArray();
    }
}
