package dev.jdyno.lab.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Ends this process when its parent has ended. No service then remains if the tool is killed and
/// cannot stop what it started.
final class ParentWatch {
    private static final long CHECK_INTERVAL_MILLIS = 1000;

    /// Exit code of a service whose parent has ended.
    private static final int PARENT_GONE = 3;

    private ParentWatch() {}

    static void start(long pid) {
        Optional<ProcessHandle> parent = ProcessHandle.of(pid);
        Thread watch =
                new Thread(() -> endWith(parent.filter(p -> p.isAlive()), pid), "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /// Uses a handle, because another process may get the same number.
    private static void endWith(Optional<ProcessHandle> parent, long pid) {
        try {
            while (parent.isPresent() && parent.get().isAlive() && !isZombie(pid)) {
                Thread.sleep(CHECK_INTERVAL_MILLIS);
            }
            System.err.println("parent " + pid + " has ended: ending too");
            System.exit(PARENT_GONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// True if the process has ended but its parent has not collected it yet, because
    /// [ProcessHandle] reports such a process as alive. Always false without /proc.
    private static boolean isZombie(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (!Files.isReadable(stat)) {
            return false;
        }
        try {
            // The letter after the name is the state: 4711 (java) Z 1 …
            String line = Files.readString(stat);
            return line.startsWith(" Z", line.lastIndexOf(')') + 1);
        } catch (IOException e) {
            // the parent ended between the two checks; isAlive reports its end at the next check
            return false;
        }
    }
}
