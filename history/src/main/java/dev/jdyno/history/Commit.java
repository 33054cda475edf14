package dev.jdyno.history;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The commit that is checked out in a git repository's working tree.
///
/// It is read without running git: git runs programs that a repository's configuration names, and
/// the repository may belong to another user.
///
/// @param hash 40 or 64 hexadecimal digits
/// @param branch empty if HEAD is detached
public record Commit(String hash, Optional<String> branch) {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
    private static final Pattern BRANCH = Pattern.compile("ref: (refs/heads/([^\\s\\p{Cntrl}]+))");
    private static final int MAX_BYTES = 4 << 20;

    /// Number of digits that name a commit in a report.
    private static final int SHORT = 8;

    /// Returns the commit of the repository around a folder; empty without a repository or a
    /// commit.
    public static Optional<Commit> around(Path folder) {
        Path at = folder.toAbsolutePath().normalize();
        while (at != null) {
            Path git = at.resolve(".git");
            if (Files.exists(git)) {
                return of(git);
            }
            at = at.getParent();
        }
        return Optional.empty();
    }

    private static Optional<Commit> of(Path git) {
        Optional<Path> repository =
                Files.isDirectory(git)
                        ? Optional.of(git)
                        // in a linked working tree, .git is a file with the path of the folder that
                        // holds HEAD
                        : line(git)
                                .filter(l -> l.startsWith("gitdir: "))
                                .map(l -> git.resolveSibling(l.substring("gitdir: ".length())));
        return repository.flatMap(r -> line(r.resolve("HEAD")).flatMap(head -> at(r, head)));
    }

    private static Optional<Commit> at(Path repository, String head) {
        if (HASH.matcher(head).matches()) {
            return Optional.of(new Commit(head, Optional.empty()));
        }
        Matcher m = BRANCH.matcher(head);
        if (!m.matches() || m.group(1).contains("..")) {
            return Optional.empty();
        }
        Path common =
                line(repository.resolve("commondir")).map(repository::resolve).orElse(repository);
        return line(common.resolve(m.group(1)))
                .or(() -> packed(common, m.group(1)))
                .filter(h -> HASH.matcher(h).matches())
                .map(h -> new Commit(h, Optional.of(m.group(2))));
    }

    private static Optional<String> packed(Path repository, String ref) {
        return text(repository.resolve("packed-refs"))
                .flatMap(t ->
                        t.lines()
                                .filter(l -> l.endsWith(" " + ref))
                                .map(l -> l.substring(0, l.length() - ref.length() - 1))
                                .findFirst());
    }

    private static Optional<String> line(Path file) {
        return text(file).flatMap(t -> t.lines().findFirst()).map(String::strip);
    }

    /// Returns a file's text. Empty if it is unreadable; the result is then stored without a
    /// commit.
    private static Optional<String> text(Path file) {
        try {
            return Files.isRegularFile(file)
                    ? Optional.of(ForeignText.decode(ForeignText.bytes(file, MAX_BYTES)))
                    : Optional.empty();
        } catch (IOException | UserError unreadable) {
            return Optional.empty();
        }
    }

    /// Returns the first digits, as git shows them.
    public String shortHash() {
        return hash.substring(0, SHORT);
    }
}
