package dev.jdyno.target.cgroup;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A tree of control groups in memory. A new group gets its files; a group with a process, or with
/// groups below it, cannot be removed.
final class FakeKernel implements ControlFiles {
    private final Set<String> files;
    private final Map<Path, Map<String, String>> groups = new TreeMap<>();
    private final Set<Path> readOnly = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();
    private final List<Path> removed = new ArrayList<>();
    private final Queue<Long> forks = new ArrayDeque<>();

    private FakeKernel(Set<String> files) {
        this.files = files;
    }

    static FakeKernel v1() {
        return new FakeKernel(
                Set.of(
                        "cpu.cfs_period_us",
                        "cpu.cfs_quota_us",
                        "memory.limit_in_bytes",
                        "memory.memsw.limit_in_bytes"));
    }

    static FakeKernel v2() {
        return new FakeKernel(Set.of("cpu.max", "memory.max", "memory.swap.max"));
    }

    FakeKernel with(String group) {
        Path at = Path.of(group);
        Map<String, String> made = new TreeMap<>();
        files.forEach(f -> made.put(f, ""));
        made.put("cgroup.procs", "");
        groups.put(at, made);
        return this;
    }

    FakeKernel with(String group, String file, String text) {
        group(Path.of(group)).put(file, text);
        return this;
    }

    private Map<String, String> group(Path path) {
        return requireNonNull(groups.get(path));
    }

    /// Refuses new groups in a group.
    FakeKernel readOnly(String group) {
        readOnly.add(Path.of(group));
        return this;
    }

    /// Refuses to write files of this name.
    FakeKernel refusing(String file) {
        refused.add(file);
        return this;
    }

    /// Each process that is killed has started the next one of these before.
    FakeKernel forking(Long... pids) {
        forks.addAll(List.of(pids));
        return this;
    }

    Map<Path, Map<String, String>> groups() {
        return groups;
    }

    List<Path> removed() {
        return removed;
    }

    @Override
    public boolean isFolder(Path path) {
        return groups.containsKey(path);
    }

    @Override
    public Optional<String> read(Path file) {
        return Optional.ofNullable(groups.get(file.getParent()))
                .map(g -> g.get(String.valueOf(file.getFileName())));
    }

    @Override
    public void write(Path file, String value) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (refused.contains(name) || read(file).isEmpty()) {
            throw new AccessDeniedException(file.toString());
        }
        group(requireNonNull(file.getParent())).put(name, value);
    }

    @Override
    public void make(Path folder) throws IOException {
        Path parent = requireNonNull(folder.getParent());
        if (readOnly.contains(parent) || !isFolder(parent)) {
            throw new FileSystemException(folder.toString(), null, "Read-only file system");
        }
        with(folder.toString());
    }

    @Override
    public void remove(Path folder) throws IOException {
        if (!isFolder(folder)) {
            return;
        }
        boolean used = !group(folder).getOrDefault("cgroup.procs", "").isBlank();
        if (used || groups.keySet().stream().anyMatch(g -> folder.equals(g.getParent()))) {
            throw new FileSystemException(folder.toString(), null, "Device or resource busy");
        }
        groups.remove(folder);
        removed.add(folder);
    }

    @Override
    public List<Path> folders(Path parent) {
        return groups.keySet().stream().filter(g -> parent.equals(g.getParent())).toList();
    }

    @Override
    public void kill(long pid) {
        String next = forks.isEmpty() ? "" : forks.remove() + "\n";
        groups.values()
                .forEach(g ->
                        g.computeIfPresent(
                                "cgroup.procs", (_, all) -> all.replace(pid + "\n", next)));
    }
}
