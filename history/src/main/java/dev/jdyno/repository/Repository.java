package dev.jdyno.repository;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A git repository with a working tree. jdyno only reads it, except for working trees that it adds
/// and removes.
public final class Repository {
    /// Maximum number of commits in one bisection.
    private static final int MAX_COMMITS = 20_000;

    /// A revision as the user may name it: as in git's `check-ref-format`, with suffixes such as
    /// `main~3`.
    private static final Pattern NAME = Pattern.compile("[\\w@][\\w./@^~+{}-]{0,250}");

    private static final String FORMAT = "--format=%H%x1f%T%x1f%aI%x1f%s";
    private static final int FIELDS = 4;

    private final Path root;
    private final Git git;

    private Repository(Path root) {
        this.root = root;
        this.git = new Git(root);
    }

    /// Returns the repository whose working tree contains a folder. Empty if there is none, or git
    /// refuses to use it, for example because it belongs to another user.
    ///
    /// @throws UserError if git is missing
    public static Optional<Repository> around(Path folder) throws InterruptedException {
        Git.Output answer =
                new Git(folder.toAbsolutePath()).run(List.of("rev-parse", "--show-toplevel"));
        if (!answer.isGood()) {
            return Optional.empty();
        }
        try {
            Path root = Path.of(answer.output().stripTrailing()).toRealPath();
            // the repository's configuration can name any other folder
            return folder.toRealPath().startsWith(root)
                    ? Optional.of(new Repository(root))
                    : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /// The top of the working tree.
    public Path root() {
        return root;
    }

    Git git() {
        return git;
    }

    /// Returns the commits from `good` to `bad`, including both, the oldest first. A merge counts
    /// as one commit: the commits that it merged are not examined separately.
    ///
    /// @param good a branch, a tag or a hash
    /// @param bad a commit with `good` among its ancestors
    /// @throws UserError if they are not such commits
    public List<Revision> between(String good, String bad) throws InterruptedException {
        String from = hash(good);
        String to = hash(bad);
        if (!git.run(List.of("merge-base", "--is-ancestor", from, to)).isGood()) {
            throw UserError.usage(
                    good + " is no ancestor of " + bad,
                    "only commits that follow each other can be bisected",
                    "give --bisect GOOD..BAD, the good one first; git merge-base names an ancestor"
                            + " of both");
        }
        List<Revision> all = new ArrayList<>(log(List.of("--max-count=1", from)));
        all.addAll(log(List.of("--first-parent", "--reverse", from + ".." + to)));
        if (all.size() < 2) {
            throw UserError.usage(
                    good + ".." + bad + " has no commits",
                    "both are " + all.getFirst().shortHash(),
                    "give --bisect GOOD..BAD, two commits");
        }
        if (all.size() > MAX_COMMITS) {
            throw UserError.usage(
                    good + ".." + bad + " has " + (all.size() - 1) + " commits",
                    "at most " + MAX_COMMITS + " are bisected",
                    "give commits that are nearer to each other");
        }
        return List.copyOf(all);
    }

    private String hash(String name) throws InterruptedException {
        if (!NAME.matcher(name).matches() || name.contains("..")) {
            throw UserError.usage(
                    "'" + name + "' is no name of a commit",
                    "a branch, a tag or a hash has no such characters",
                    "give --bisect GOOD..BAD, such as v1.4..main");
        }
        Git.Output answer =
                git.run(
                        List.of(
                                "rev-parse",
                                "--verify",
                                "--quiet",
                                "--end-of-options",
                                name + "^{commit}"));
        String hash = answer.output().strip();
        if (!answer.isGood() || !Revision.isHash(hash)) {
            throw UserError.usage(
                    root + " has no commit " + name,
                    "git knows no branch, tag or commit of this name",
                    "fetch it, or give another one; a shallow clone lacks old commits");
        }
        return hash;
    }

    private List<Revision> log(List<String> which) throws InterruptedException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "log",
                                "-z",
                                "--no-color",
                                "--no-show-signature",
                                "--no-notes",
                                "--no-patch",
                                FORMAT));
        arguments.addAll(which);
        arguments.add("--");
        List<Revision> revisions = new ArrayList<>();
        for (String record : git.ask(arguments).split("\0")) {
            if (!record.isEmpty()) {
                revisions.add(revision(record));
            }
        }
        return revisions;
    }

    private Revision revision(String record) {
        // the subject is last, because it may contain any character
        String[] fields = record.split("\u001f", FIELDS);
        if (fields.length < FIELDS || !Revision.isHash(fields[0]) || !Revision.isHash(fields[1])) {
            throw UserError.usage(
                    "cannot read the history of " + root,
                    "git log prints another form than was asked for",
                    "see that `git` is git itself");
        }
        return new Revision(fields[0], fields[1], date(fields[2]), fields[3]);
    }

    /// Parses the date of a commit, which may be any text, even an invalid date. An invalid date
    /// gives 1970.
    private static Instant date(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException none) {
            return Instant.EPOCH;
        }
    }

    /// @throws UserError if the repository's own configuration names programs that git would run
    ///   for each file that it writes
    void requireNoPrograms() throws InterruptedException {
        Git.Output answer =
                git.run(
                        List.of(
                                "config",
                                "--local",
                                "--includes",
                                "--name-only",
                                "--get-regexp",
                                "^filter\\..*\\.(smudge|process)$"));
        if (!answer.output().isBlank()) {
            throw UserError.usage(
                    "the configuration of " + root + " names programs that change files",
                    "git would run them at each checkout: "
                            + String.join(", ", answer.output().lines().toList()),
                    "where you trust them, move them into your own: git config --global");
        }
    }
}
