package dev.jdyno.repository;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Copies of commits, as working trees of the repository in one of jdyno's own folders. Closing
/// removes them all.
final class Worktrees implements AutoCloseable {
    private final Repository repository;
    private final Path folder;
    private final Map<String, Path> added = new HashMap<>();

    /// Removes the files that a killed process left in the folder.
    ///
    /// @param folder a folder for working trees only
    /// @throws UserError if the folder cannot be read or emptied
    Worktrees(Repository repository, Path folder) throws InterruptedException {
        this.repository = repository;
        this.folder = folder;
        remove(left());
    }

    private List<Path> left() {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        } catch (IOException unread) {
            throw UserError.usage(
                            "cannot read " + folder,
                            String.valueOf(unread.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(unread);
        }
    }

    /// Returns the folder with the files of a commit. Commits with the same files share one folder.
    ///
    /// @throws UserError if git cannot write the files
    Path of(Revision revision) throws InterruptedException {
        Path there = added.get(revision.tree());
        if (there != null) {
            return there;
        }
        Path made = folder.resolve(revision.tree());
        added.put(revision.tree(), made);
        String _ =
                repository
                        .git()
                        .ask(
                                List.of(
                                        "worktree",
                                        "add",
                                        "--quiet",
                                        "--detach",
                                        made.toString(),
                                        revision.hash()));
        return made;
    }

    boolean has(Revision revision) {
        return added.containsKey(revision.tree());
    }

    @Override
    public void close() {
        try {
            remove(new ArrayList<>(added.values()));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        added.clear();
    }

    private void remove(List<Path> trees) throws InterruptedException {
        for (Path tree : trees) {
            // twice: to remove locked working trees as well, such as one that was being added
            Git.Output _ =
                    repository
                            .git()
                            .run(
                                    List.of(
                                            "worktree",
                                            "remove",
                                            "--force",
                                            "--force",
                                            tree.toString()));
            deleteAll(tree);
        }
        if (!trees.isEmpty()) {
            // forget working trees whose folder was deleted first; this affects only missing
            // folders
            Git.Output _ = repository.git().run(List.of("worktree", "prune"));
        }
    }

    /// Deletes files that git did not delete or does not track. Links are deleted, not followed.
    private static void deleteAll(Path tree) {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Path _ =
                    Files.walkFileTree(
                            tree,
                            new SimpleFileVisitor<>() {
                                @Override
                                public FileVisitResult visitFile(
                                        Path file, BasicFileAttributes seen) throws IOException {
                                    Files.delete(file);
                                    return FileVisitResult.CONTINUE;
                                }

                                @Override
                                public FileVisitResult postVisitDirectory(
                                        Path emptied, @Nullable IOException failed)
                                        throws IOException {
                                    if (failed != null) {
                                        throw failed;
                                    }
                                    Files.delete(emptied);
                                    return FileVisitResult.CONTINUE;
                                }
                            });
        } catch (IOException stays) {
            throw UserError.usage(
                            "cannot remove the copy " + tree,
                            String.valueOf(stays.getMessage()),
                            "delete it, then run git worktree prune")
                    .causedBy(stays);
        }
    }
}
