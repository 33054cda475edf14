package dev.jdyno.repository;

import java.time.Instant;
import java.util.regex.Pattern;

/// One commit of a history.
///
/// @param hash 40 or 64 hexadecimal digits
/// @param tree hash of its files; commits with the same tree have the same build
/// @param authored the author's date
/// @param subject first line of its message; foreign text like the whole message
public record Revision(String hash, String tree, Instant authored, String subject) {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    /// Number of digits that name a commit in a report.
    private static final int SHORT = 8;

    public Revision {
        if (!isHash(hash) || !isHash(tree)) {
            throw new IllegalArgumentException("no hash of git's: " + hash + ", " + tree);
        }
    }

    static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    /// Returns the first digits, as git shows them.
    public String shortHash() {
        return hash.substring(0, SHORT);
    }
}
