package dev.jdyno.files;

import java.util.Set;
import java.util.TreeSet;

/// Conditions for reading a file of a foreign folder.
///
/// @param owners allowed user ids; empty allows any owner, for a file that only its reader
///   interprets
/// @param atMostBytes maximum size
/// @param oneName whether the file must have no further hard link: a file with two names may be
///   another program's file that its owner linked here
public record Trust(Set<Long> owners, long atMostBytes, boolean oneName) {
    /// Maximum size of a text file written by people.
    public static final long TEXT_BYTES = 4L << 20;

    public Trust {
        owners = Set.copyOf(owners);
    }

    /// Conditions for a file that one of these users created for jdyno.
    public static Trust madeBy(Set<Long> owners, long atMostBytes) {
        return new Trust(owners, atMostBytes, true);
    }

    /// A regular file of any owner, up to a size.
    public static Trust anyOwner(long atMostBytes) {
        return new Trust(Set.of(), atMostBytes, false);
    }

    /// @throws NotTrusted unless the file is regular and these conditions allow its owner, size and
    ///   names
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
