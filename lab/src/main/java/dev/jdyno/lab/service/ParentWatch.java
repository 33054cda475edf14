package dev.jdyno.lab.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Ends this process when its parent has ended, so that nothing is left running when the tool is
/// killed and cannot stop what it started.
final class ParentWatch {
    private static final long LOOK_EVERY_MILLIS = 1000;

    /// Exit code of a service whose parent went away.
    private static final int PARENT_GONE = 3;

    private ParentWatch() {}

    static void start(long pid) {
        Optional<ProcessHandle> parent = ProcessHandle.of(pid);
        Thread watch =
                new Thread(() -> endWith(parent.filter(p -> p.isAlive()), pid), "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /// A handle, not a number, so that another process that is given the same number is no parent.
    private static void endWith(Optional<ProcessHandle> parent, long pid) {
        try {
            while (parent.isPresent() && parent.get().isAlive() && !isZombie(pid)) {
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
            System.err.println("parent " + pid + " has ended: ending too");
            System.exit(PARENT_GONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A process that has ended but was not yet collected by its own parent: it counts as alive for
    /// [ProcessHandle]. Where there is no /proc, nothing is known and nothing said.
    private static boolean isZombie(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (!Files.isReadable(stat)) {
            return false;
        }
        try {
            // 4711 (java) Z 1 …
            String line = Files.readString(stat);
            return line.startsWith(" Z", line.lastIndexOf(')') + 1);
        } catch (IOException e) {
            // it ended between the two looks: isAlive says so at the next one
            return false;
        }
    }
}
