package dev.jdyno.files;

import java.util.Set;
import java.util.TreeSet;

/// Which file of a foreign folder may be read.
///
/// @param owners user ids; empty means that any owner will do, for a file that only its reader
///   interprets
/// @param atMostBytes its size
/// @param oneName a file with further names may be one that its owner linked here though it belongs
///   elsewhere
public record Trust(Set<Long> owners, long atMostBytes, boolean oneName) {
    /// What a text that people write may be long.
    public static final long TEXT_BYTES = 4L << 20;

    public Trust {
        owners = Set.copyOf(owners);
    }

    /// A file that one of these users made for us.
    public static Trust madeBy(Set<Long> owners, long atMostBytes) {
        return new Trust(owners, atMostBytes, true);
    }

    /// A regular file of anybody's, of at most so many bytes.
    public static Trust anyOwner(long atMostBytes) {
        return new Trust(Set.of(), atMostBytes, false);
    }

    /// @throws NotTrusted unless it is a regular file that these conditions allow
    void check(Stat its, String name) throws NotTrusted {
        if (its.kind() != Stat.Kind.FILE) {
            throw new NotTrusted(name, "is " + its.kind().words() + ", not a regular file");
        }
        if (!owners.isEmpty() && !owners.contains(its.uid())) {
            throw new NotTrusted(
                    name, "belongs to uid " + its.uid() + ", not to " + new TreeSet<>(owners));
        }
        if (oneName && its.links() > 1) {
            throw new NotTrusted(name, "has " + its.links() + " names (hard links)");
        }
        if (its.bytes() > atMostBytes) {
            throw new NotTrusted(
                    name, "has " + its.bytes() + " bytes, more than the limit of " + atMostBytes);
        }
    }
}
