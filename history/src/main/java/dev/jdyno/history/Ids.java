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

/// Names of stored results: when they began, and twelve digits that tell those of one second apart.
/// The same result has the same name however often it is stored.
final class Ids {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /// Two of a thousand results of one second have the same once in half a million times.
    private static final int DIGITS = 12;

    /// An earlier version gave so many.
    private static final int FORMER_DIGITS = 4;

    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private Ids() {}

    /// Whether a result can have this time: no clock shows a year before 1970 or after 9999.
    static boolean isTime(Instant at) {
        return at.getEpochSecond() >= 0 && at.getEpochSecond() < LATEST.getEpochSecond();
    }

    /// @throws IllegalArgumentException where no result can have this time
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

    /// The id that an earlier version gave the same result.
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
