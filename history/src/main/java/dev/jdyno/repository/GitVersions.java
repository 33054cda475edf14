package dev.jdyno.repository;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.Errand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Versions of a service in a git repository. Each is built in a separate working tree; closing
/// this object removes the trees.
public final class GitVersions implements Versions, AutoCloseable {
    private static final Duration MAX_BUILD = Duration.ofMinutes(30);

    private final Repository repository;
    private final List<Revision> revisions;
    private final Optional<String> build;
    private final Path below;
    private final Path folder;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Worktrees worktrees;
    private final Set<String> built = new HashSet<>();
    private final Map<String, String> failed = new HashMap<>();

    /// @param revisions revisions of the repository, the oldest first
    /// @param build command that builds the service; empty if it runs from its sources
    /// @param below folder of the working tree in which commands run; empty for its top
    /// @param folder jdyno's folder for working trees and the output of builds
    /// @param stop asked ten times a second during a build; true ends the build
    /// @throws dev.jdyno.measure.text.UserError if the repository's configuration names programs
    public GitVersions(
            Repository repository,
            List<Revision> revisions,
            Optional<String> build,
            Path below,
            Path folder,
            NanoClock clock,
            BooleanSupplier stop)
            throws InterruptedException, IOException {
        this.repository = repository;
        this.revisions = List.copyOf(revisions);
        this.build = build;
        this.below = below;
        this.folder = PrivateFolder.inside(folder, "builds");
        this.clock = clock;
        this.stop = stop;
        repository.requireNoPrograms();
        this.worktrees =
                new Worktrees(repository, PrivateFolder.inside(folder, "worktrees").toRealPath());
    }

    @Override
    public List<Revision> revisions() {
        return revisions;
    }

    @Override
    public boolean isBuilt(int version) {
        return built.contains(revisions.get(version).tree());
    }

    @Override
    public Build build(int version) throws InterruptedException {
        Revision revision = revisions.get(version);
        String before = failed.get(revision.tree());
        if (before != null) {
            return new Build.Failed(before);
        }
        Path in;
        try {
            in = worktrees.of(revision).resolve(below.toString());
        } catch (UserError ended) {
            // Ctrl-C in a terminal ends git, too
            if (stop.getAsBoolean()) {
                return new Build.Stopped();
            }
            throw ended;
        }
        if (!Files.isDirectory(in)) {
            String why = "it has no folder " + below;
            failed.put(revision.tree(), why);
            return new Build.Failed(why);
        }
        if (isBuilt(version) || build.isEmpty()) {
            built.add(revision.tree());
            return new Build.Done(in);
        }
        Path output = folder.resolve(revision.shortHash() + ".txt");
        return switch (Errand.run(build.get(), in, output, MAX_BUILD, clock, stop)) {
            case Errand.End.Done() -> {
                built.add(revision.tree());
                yield new Build.Done(in);
            }
            case Errand.End.Failed(String why) -> {
                failed.put(revision.tree(), why);
                yield new Build.Failed(why);
            }
            case Errand.End.Stopped() -> new Build.Stopped();
        };
    }

    @Override
    public Diff diff(int from, int to, List<String> methods) throws InterruptedException {
        List<String> range = List.of(revisions.get(from).hash(), revisions.get(to).hash(), "--");
        List<String> files =
                Stream.of(ask(List.of("--name-only", "-z"), range).split("\0"))
                        .filter(f -> !f.isEmpty())
                        .toList();
        Map<String, List<String>> wanted = new LinkedHashMap<>();
        for (String method : methods) {
            SourceFile.of(method, files)
                    .ifPresent(f -> wanted.computeIfAbsent(f, _ -> new ArrayList<>()).add(method));
        }
        List<FileLines> lines = new ArrayList<>();
        for (Map.Entry<String, List<String>> file : wanted.entrySet()) {
            List<String> one = new ArrayList<>(range);
            one.add(":(top,literal)" + file.getKey());
            lines.add(
                    new FileLines(
                            file.getKey(),
                            file.getValue(),
                            SourceFile.changed(ask(List.of("--unified=0"), one))));
        }
        return new Diff(files, lines);
    }

    private String ask(List<String> how, List<String> what) throws InterruptedException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "diff",
                                "--no-color",
                                "--no-ext-diff",
                                "--no-textconv",
                                "--no-renames"));
        arguments.addAll(how);
        arguments.addAll(what);
        return repository.git().ask(arguments);
    }

    @Override
    public void close() {
        worktrees.close();
    }
}
