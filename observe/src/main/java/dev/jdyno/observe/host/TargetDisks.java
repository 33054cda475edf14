package dev.jdyno.observe.host;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the disks with the target's open files and its working folder. It starts from the mounts
/// that the target sees, and follows partitions, device-mapper, RAID and the layers of a
/// container's root.
///
/// No file is accessed for it, because access to a remote file system that does not answer would
/// block.
final class TargetDisks {
    /// Maximum number of nested layers: for example a container in a container, or a volume on an
    /// encrypted RAID.
    private static final int MAX_LAYERS = 16;

    private final ProcFs proc;
    private final long pid;
    private final Path sys;

    TargetDisks(ProcFs proc, long pid, Path sys) {
        this.proc = proc;
        this.pid = pid;
        this.sys = sys;
    }

    /// The names of whole disks.
    Set<String> names() {
        List<Mount> mounts = Mount.all(proc.text(pid, "mountinfo"));
        Set<Mount> used = new HashSet<>();
        link(proc.of(pid, "cwd")).flatMap(p -> Mount.holding(p, mounts)).ifPresent(used::add);
        Set<String> seen = new HashSet<>();
        try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
            for (Path fd : fds) {
                Optional<String> file = link(fd).filter(f -> f.startsWith("/"));
                // files of one folder are on one file system
                if (file.isPresent() && seen.add(folder(file.get()))) {
                    mountOf(fd, mounts)
                            .or(() -> Mount.holding(file.get(), mounts))
                            .ifPresent(used::add);
                }
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            // without the open files only the disk of the working folder is known; SignalsProbe
            // reports that they cannot be read
            return disks(used);
        }
        return disks(used);
    }

    private Set<String> disks(Set<Mount> used) {
        Set<String> names = new HashSet<>();
        used.forEach(m -> of(m, 0, names));
        return names;
    }

    private static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/') + 1);
    }

    private Optional<Mount> mountOf(Path fd, List<Mount> mounts) {
        // mnt_id:	27
        return proc.text(pid, "fdinfo/" + fd.getFileName())
                .flatMap(t -> t.lines().filter(l -> l.startsWith("mnt_id:")).findFirst())
                .map(l -> l.substring("mnt_id:".length()).trim())
                .flatMap(id -> mounts.stream().filter(m -> m.id().equals(id)).findFirst());
    }

    private static Optional<String> link(Path place) {
        try {
            return Optional.of(Files.readSymbolicLink(place).toString());
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    private void of(Mount mount, int depth, Set<String> names) {
        if (depth > MAX_LAYERS) {
            return;
        }
        if (!mount.device().startsWith("0:")) {
            link(sys.resolve("dev/block").resolve(mount.device()))
                    .ifPresent(to -> wholeDisks(lastOf(to), names));
        } else if (mount.upper().isPresent()) {
            List<Mount> ours = Mount.all(proc.text("self/mountinfo"));
            Mount.holding(mount.upper().get(), ours)
                    .filter(m -> !m.equals(mount))
                    .ifPresent(m -> of(m, depth + 1, names));
        } else if (mount.source().startsWith("/dev/")) {
            // a volume of btrfs has a device number of its own, so its disk is found by the path of
            // the source; /dev/mapper/data links to ../dm-0
            wholeDisks(
                    link(Path.of(mount.source()))
                            .map(TargetDisks::lastOf)
                            .orElse(lastOf(mount.source())),
                    names);
        }
    }

    private static String lastOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /// The devices of which a device-mapper or RAID device consists, in the kernel's device tree;
    /// empty for any other device.
    ///
    /// @param device folder of the device in that tree
    static List<String> madeOf(Path device) {
        String[] below = device.resolve("slaves").toFile().list();
        return below == null ? List.of() : List.of(below);
    }

    /// @param name name in the kernel's device tree
    private void wholeDisks(String name, Set<String> names) {
        Deque<String> ahead = new ArrayDeque<>(List.of(name));
        Set<String> seen = new HashSet<>();
        while (!ahead.isEmpty()) {
            String at = ahead.pop();
            Path device = sys.resolve("class/block").resolve(at);
            if (!seen.add(at)) {
                continue;
            }
            List<String> below = madeOf(device);
            if (!below.isEmpty()) {
                below.forEach(ahead::push);
            } else if (Files.exists(device.resolve("partition"))) {
                // ../../devices/pci0000:00/…/block/sda/sda2
                link(device)
                        .map(to -> to.substring(0, Math.max(0, to.lastIndexOf('/'))))
                        .map(TargetDisks::lastOf)
                        .ifPresent(ahead::push);
            } else {
                names.add(at.replace('!', '/'));
            }
        }
    }
}
