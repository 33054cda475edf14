package dev.jdyno.cluster;

import dev.jdyno.cluster.key.SecretRights;
import dev.jdyno.measure.text.Problems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The secret that all processes of one group share. It is never sent; each side proves that it
/// knows the secret.
public final class Token {
    /// Minimum length of a token. A process that can reach a listener can test tokens offline; 32
    /// hexadecimal digits are 128 bits.
    private static final int MIN_CHARACTERS = 32;

    private static final int MAX_BYTES = 4096;
    private static final String FIX = "write one with: umask 077; openssl rand -hex 32 > FILE";

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /// @throws IllegalArgumentException if it is too short
    public static Token of(String text) {
        if (text.length() < MIN_CHARACTERS) {
            throw new IllegalArgumentException("a token of " + text.length() + " characters");
        }
        return new Token(text);
    }

    /// Reads the first line of a file that only its owner can read, or that has the rights that
    /// {@link SecretRights} allows. Mistakes go to `problems`.
    ///
    /// @param option that names the file, for the messages
    public static Optional<Token> read(String option, Path file, Problems problems) {
        String where = option + " " + file;
        try {
            Optional<String> mistake = SecretRights.mistake(file, SecretRights.Reader.self());
            if (mistake.isPresent()) {
                problems.add(where, mistake.get(), "chmod 600 " + file);
                return Optional.empty();
            }
            byte[] bytes;
            try (var in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES + 1);
            }
            String text = new String(bytes, StandardCharsets.UTF_8).strip();
            if (bytes.length > MAX_BYTES || text.lines().count() > 1) {
                problems.add(where, "is not one line of at most " + MAX_BYTES + " bytes", FIX);
            } else if (text.length() < MIN_CHARACTERS) {
                problems.add(
                        where,
                        "holds fewer than " + MIN_CHARACTERS + " characters, which can be guessed",
                        FIX);
            } else {
                return Optional.of(new Token(text));
            }
        } catch (IOException e) {
            problems.add(where, "cannot be read: " + e, FIX);
        }
        return Optional.empty();
    }

    char[] characters() {
        return text.toCharArray();
    }

    @Override
    public String toString() {
        return "Token[…]";
    }
}
