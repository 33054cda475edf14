package dev.jdyno.repository;

import java.nio.file.Path;
import java.util.List;

/// Versions of a service that can be built, each one commit after the previous one. {@link
/// GitVersions} builds them from a repository; tests simulate them.
public interface Versions {
    /// Returns the versions, the oldest first: the known good one, then each suspect.
    List<Revision> revisions();

    /// True if a version is already built.
    ///
    /// @param version index of the version
    boolean isBuilt(int version);

    /// Builds a version unless it is already built.
    ///
    /// @throws dev.jdyno.measure.text.UserError if the repository cannot provide its files
    Build build(int version) throws InterruptedException;

    /// Returns the changes of one commit or several consecutive ones.
    ///
    /// @param from index of the version before
    /// @param to index of the version with the change
    /// @param methods methods whose files are searched for, such as `com.acme.Price.of`
    Diff diff(int from, int to, List<String> methods) throws InterruptedException;

    /// The result of a build.
    sealed interface Build {
        /// @param folder folder in which the service's launch command runs
        record Done(Path folder) implements Build {}

        /// @param why the reason, for the user
        record Failed(String why) implements Build {}

        /// The user stopped the build.
        record Stopped() implements Build {}
    }

    /// The difference between two versions.
    ///
    /// @param files the changed files, as the repository names them
    /// @param lines changed lines of those files that contain the methods
    record Diff(List<String> files, List<FileLines> lines) {
        public static final Diff NONE = new Diff(List.of(), List.of());

        public Diff {
            files = List.copyOf(files);
            lines = List.copyOf(lines);
        }
    }

    /// @param methods methods that belong to the file, judged by its name
    /// @param lines added and removed lines, each with its sign, and the headers of hunks
    record FileLines(String file, List<String> methods, List<String> lines) {
        public FileLines {
            methods = List.copyOf(methods);
            lines = List.copyOf(lines);
        }
    }
}
