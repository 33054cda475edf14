package dev.jdyno.repository;

import java.nio.file.Path;
import java.util.List;

/// Versions of a service, each a commit more than the one before, that can be built. {@link
/// GitVersions} builds them from a repository; tests make them up.
public interface Versions {
    /// The oldest first: the one that is known to be good, then each suspect.
    List<Revision> revisions();

    /// Whether the build of a version is there already.
    ///
    /// @param version its index
    boolean isBuilt(int version);

    /// Builds a version, where it is not there already.
    ///
    /// @throws dev.jdyno.measure.text.UserError when its files cannot be had from the repository
    Build build(int version) throws InterruptedException;

    /// What a commit, or several in a row, changed.
    ///
    /// @param from index of the version before
    /// @param to index of the version with the change
    /// @param methods whose files are looked for, such as `com.acme.Price.of`
    Diff diff(int from, int to, List<String> methods) throws InterruptedException;

    /// What came of a build.
    sealed interface Build {
        /// @param folder in which the service's launch command runs
        record Done(Path folder) implements Build {}

        /// @param why for the user
        record Failed(String why) implements Build {}

        /// The user wanted it to end.
        record Stopped() implements Build {}
    }

    /// What changed between two versions.
    ///
    /// @param files that changed, as the repository names them
    /// @param lines of those files in which the methods are
    record Diff(List<String> files, List<FileLines> lines) {
        public static final Diff NONE = new Diff(List.of(), List.of());

        public Diff {
            files = List.copyOf(files);
            lines = List.copyOf(lines);
        }
    }

    /// @param methods that are in the file, by its name
    /// @param lines that were added or taken out, each with its sign, and the heads of hunks
    record FileLines(String file, List<String> methods, List<String> lines) {
        public FileLines {
            methods = List.copyOf(methods);
            lines = List.copyOf(lines);
        }
    }
}
