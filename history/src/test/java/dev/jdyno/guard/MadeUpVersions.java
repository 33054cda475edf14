package dev.jdyno.guard;

import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Invented versions. The folder name of each is its number.
final class MadeUpVersions implements Versions {
    private final List<Revision> revisions;
    private final Set<Integer> broken;
    private final Set<Integer> built = new HashSet<>();

    /// @param broken numbers of the versions that do not build
    MadeUpVersions(int commits, Set<Integer> broken) {
        this.revisions =
                IntStream.rangeClosed(0, commits)
                        .mapToObj(i ->
                                new Revision(
                                        String.format("%040x", i + 1),
                                        String.format("%040x", 1000 + i),
                                        Instant.parse("2026-01-01T00:00:00Z")
                                                .plusSeconds(3600L * i),
                                        "change " + i))
                        .toList();
        this.broken = Set.copyOf(broken);
    }

    static String folder(int version) {
        return "v" + version;
    }

    /// Number of builds so far.
    int builds() {
        return built.size();
    }

    @Override
    public List<Revision> revisions() {
        return revisions;
    }

    @Override
    public boolean isBuilt(int version) {
        return built.contains(version);
    }

    @Override
    public Build build(int version) {
        if (broken.contains(version)) {
            return new Build.Failed("exit code 1");
        }
        built.add(version);
        return new Build.Done(Path.of(folder(version)));
    }

    @Override
    public Diff diff(int from, int to, List<String> methods) {
        return new Diff(List.of("src/" + from + "-" + to + ".java"), List.of());
    }
}
