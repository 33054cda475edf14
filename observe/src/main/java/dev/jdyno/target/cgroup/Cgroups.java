package dev.jdyno.target.cgroup;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Makes control groups with a CPU quota and a memory limit.
///
/// In version 1 a group is made below jdyno's own group of each controller, so that the limits
/// around jdyno still hold. In version 2 a group with processes cannot have groups with limits
/// below it. There the group is made in the nearest group above jdyno that gives its children both
/// controllers. No group but the new one is changed.
public final class Cgroups {
    /// Period of the CPU quota, the same as Kubernetes sets.
    private static final long PERIOD_MICROS = 100_000;

    /// Groups of jdyno: `jdyno-size-` with the process id, its start in ticks, and a number.
    private static final String NAME = "jdyno-size-";

    private static final Pattern OURS = Pattern.compile(NAME + "(\\d{1,10})-(\\d{1,18})-\\d{1,9}");

    private static final Path SYSTEMD_RUN = Path.of("/usr/bin/systemd-run");

    private final ControlFiles files;
    private final ProcFs proc;
    private final NanoClock clock;
    private final boolean systemd;
    private int made;

    /// @param systemd whether `systemd-run` is installed
    Cgroups(ControlFiles files, ProcFs proc, NanoClock clock, boolean systemd) {
        this.files = files;
        this.proc = proc;
        this.clock = clock;
        this.systemd = systemd;
    }

    public static Cgroups ofThisMachine() {
        return new Cgroups(
                ControlFiles.SYSTEM,
                ProcFs.SYSTEM,
                NanoClock.SYSTEM,
                Files.isExecutable(SYSTEMD_RUN));
    }

    /// The folders in which groups are made.
    ///
    /// @param parents one folder in version 2; in version 1 that of the CPU, then that of the
    ///   memory
    private record Place(boolean v2, List<Path> parents) {}

    private Place place() {
        ControlMounts mounts = ControlMounts.of(proc);
        String groups = proc.text("self/cgroup").orElse("");
        Path cpu = mounts.controllers().get("cpu");
        Path memory = mounts.controllers().get("memory");
        if (cpu != null && memory != null) {
            return new Place(
                    false, List.of(own(cpu, groups, "cpu"), own(memory, groups, "memory")));
        }
        if (mounts.unified().isEmpty() || cpu != null || memory != null) {
            throw cannot("the controllers for CPU and memory are not both mounted here");
        }
        Path mount = mounts.unified().get();
        Path at = below(mount, ControlMounts.group(groups).orElse("/"));
        for (Path above = at; above != null && above.startsWith(mount); above = above.getParent()) {
            String given = files.read(above.resolve("cgroup.subtree_control")).orElse("").strip();
            if (List.of(given.split("\\s+")).containsAll(List.of("cpu", "memory"))) {
                return new Place(true, List.of(above));
            }
        }
        throw cannot("no group above " + at + " gives its children the controllers cpu and memory");
    }

    /// jdyno's own group; in a container without a namespace of its own, its path is not visible.
    private Path own(Path mount, String groups, String controller) {
        return below(mount, ControlMounts.group(groups, controller).orElse("/"));
    }

    private Path below(Path mount, String group) {
        Path own = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        return own.startsWith(mount) && files.isFolder(own) ? own : mount;
    }

    /// Proves that groups can be made here, before anything is started.
    ///
    /// @throws UserError if they cannot
    public void check() {
        make(1, Bytes.mebi(256)).close();
    }

    /// Makes a group.
    ///
    /// @param cores CPU quota
    /// @param memory limit of memory; swap is not allowed beyond it
    /// @throws UserError if the rights are missing
    public Cgroup make(double cores, Bytes memory) {
        Place place = place();
        String name = NAME + ownPid() + "-" + ownTicks() + "-" + ++made;
        List<Path> folders = new ArrayList<>();
        try {
            for (Path parent : place.parents()) {
                Path folder = parent.resolve(name);
                files.make(folder);
                folders.add(folder);
            }
            long quota = Math.round(PERIOD_MICROS * cores);
            if (place.v2()) {
                limitV2(folders.getFirst(), quota, memory);
            } else {
                limitV1(folders.getFirst(), folders.getLast(), quota, memory);
            }
            return new Cgroup(files, clock, place.v2(), folders);
        } catch (IOException refused) {
            removeQuietly(folders);
            throw cannot(reason(refused)).causedBy(refused);
        } catch (IllegalStateException ending) {
            // no hook can be added, because jdyno ends
            removeQuietly(folders);
            throw ending;
        }
    }

    private void limitV1(Path cpu, Path memory, long quota, Bytes bytes) throws IOException {
        files.write(cpu.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
        files.write(cpu.resolve("cpu.cfs_quota_us"), Long.toString(quota));
        files.write(memory.resolve("memory.limit_in_bytes"), Long.toString(bytes.value()));
        // memory and swap together; the file exists if the kernel counts swap
        ifPresent(memory.resolve("memory.memsw.limit_in_bytes"), Long.toString(bytes.value()));
    }

    private void limitV2(Path group, long quota, Bytes bytes) throws IOException {
        files.write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
        files.write(group.resolve("memory.max"), Long.toString(bytes.value()));
        ifPresent(group.resolve("memory.swap.max"), "0");
    }

    private void ifPresent(Path file, String value) throws IOException {
        if (files.read(file).isPresent()) {
            files.write(file, value);
        }
    }

    private void removeQuietly(List<Path> folders) {
        for (Path folder : folders) {
            try {
                files.remove(folder);
            } catch (IOException stays) {
                // the reason why it was not made is reported
            }
        }
    }

    /// Removes the groups of runs that were killed. A group with a process in it stays.
    ///
    /// @return the removed folders
    public List<Path> removeLeft() {
        List<Path> removed = new ArrayList<>();
        for (Path parent : place().parents()) {
            for (Path folder : files.folders(parent)) {
                Matcher ours = OURS.matcher(String.valueOf(folder.getFileName()));
                if (ours.matches() && !isAlive(ours) && remove(folder)) {
                    removed.add(folder);
                }
            }
        }
        return removed;
    }

    private boolean isAlive(Matcher ours) {
        Optional<String> ticks = proc.startTicksAlive(Long.parseLong(ours.group(1)));
        return ticks.equals(Optional.of(ours.group(2)));
    }

    private boolean remove(Path folder) {
        try {
            files.remove(folder);
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }

    private long ownPid() {
        return ProcessHandle.current().pid();
    }

    private String ownTicks() {
        return proc.startTicks(ownPid()).orElse("0");
    }

    private static String reason(IOException refused) {
        return refused instanceof FileSystemException f
                ? f.getFile() + ": " + Optional.ofNullable(f.getReason()).orElse("access denied")
                : String.valueOf(refused.getMessage());
    }

    private UserError cannot(String why) {
        return UserError.usage(
                "cannot make a control group for the service",
                why,
                systemd
                        ? "run it in a scope that may have groups: systemd-run --scope -p"
                                + " Delegate=yes jdyno size … as root, or with --user as another"
                                + " user"
                        : "run it as root where /sys/fs/cgroup can be written; in a container,"
                                + " start that with --privileged");
    }

    static UserError staying(List<Path> folders, IOException why) {
        return UserError.target(
                        "a control group of the service could not be removed",
                        reason(why),
                        "end the processes in it, then run rmdir "
                                + folders.stream()
                                        .map(Path::toString)
                                        .collect(Collectors.joining(" ")))
                .causedBy(why);
    }
}
