package dev.jdyno.history;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// Ids of stored results: the start time, and twelve digits that distinguish results of one second.
/// The same result always gets the same id.
final class Ids {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /// Number of digits: among a thousand results of one second, two collide once in half a million
    /// cases.
    private static final int DIGITS = 12;

    /// Number of digits in an earlier version.
    private static final int FORMER_DIGITS = 4;

    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private Ids() {}

    /// True if a result can have this time: clocks show years from 1970 to 9999.
    static boolean isTime(Instant at) {
        return at.getEpochSecond() >= 0 && at.getEpochSecond() < LATEST.getEpochSecond();
    }

    /// @throws IllegalArgumentException if no result can have this time
    static String of(Kind kind, Instant at, String plan, Optional<Path> folder) {
        if (!isTime(at)) {
            throw new IllegalArgumentException("no result can be of " + at);
        }
        String whole =
                String.join(
                        "\n",
                        kind.key(),
                        Long.toString(at.toEpochMilli()),
                        plan,
                        folder.map(f -> f.toAbsolutePath().normalize().getFileName())
                                .map(String::valueOf)
                                .orElse(""));
        return STAMP.format(at)
                + "-"
                + HexFormat.of()
                        .formatHex(sha256().digest(whole.getBytes(StandardCharsets.UTF_8)))
                        .substring(0, DIGITS);
    }

    /// Returns the id that an earlier version gave the same result.
    static String shorter(String id) {
        return id.length() > DIGITS - FORMER_DIGITS
                ? id.substring(0, id.length() - DIGITS + FORMER_DIGITS)
                : id;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every JDK has SHA-256", never);
        }
    }
}
