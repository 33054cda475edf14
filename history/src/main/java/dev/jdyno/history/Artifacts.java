package dev.jdyno.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files of a result, with checksums. Links are not followed.
final class Artifacts {
    private static final int BUFFER = 1 << 16;

    private Artifacts() {}

    /// Files of a finished result, without its partial records, which are deleted when it is
    /// stored.
    static List<Entry.Artifact> of(Path folder) throws IOException {
        return of(folder, Set.of(EntryFile.NAME, RoundLines.NAME));
    }

    /// Files of an unfinished result.
    static List<Entry.Artifact> ofUnfinished(Path folder) throws IOException {
        return of(folder, Set.of(EntryFile.NAME));
    }

    /// @param without names in the folder itself that are written or deleted after this listing
    private static List<Entry.Artifact> of(Path folder, Set<String> without) throws IOException {
        List<Entry.Artifact> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> regular =
                    files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                            .filter(f -> !without.contains(folder.relativize(f).toString()))
                            .sorted()
                            .toList();
            for (Path file : regular) {
                found.add(
                        new Entry.Artifact(
                                folder.relativize(file).toString(),
                                Files.size(file),
                                checksum(file)));
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        return found;
    }

    private static String checksum(Path file) throws IOException {
        MessageDigest digest = Ids.sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in =
                new DigestInputStream(
                        Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), digest)) {
            while (in.read(buffer) >= 0) {
                // reading updates the digest
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
