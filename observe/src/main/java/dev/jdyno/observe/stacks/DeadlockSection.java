package dev.jdyno.observe.stacks;

import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The section that HotSpot adds to the end of a dump if threads wait for each other in a circle.
/// It names the owner of each lock. This includes `java.util.concurrent` locks; without `-l` no
/// stack shows their owners.
///
/// ```
/// Found one Java-level deadlock:
/// =============================
/// "pool-1-thread-1":
///   waiting for ownable synchronizer 0x000000068e0b1c40, (a java.util.concurrent.locks.ReentrantLock$NonfairSync), which is held by "pool-1-thread-2"
/// "pool-1-thread-2":
///   waiting to lock monitor 0x00007f8c38002f30 (object 0x000000068e0b2a58, a java.lang.Object),
///   which is held by "pool-1-thread-1"
/// Java stack information for the threads listed above:
/// ```
final class DeadlockSection {
    private static final Pattern BEGINS = Pattern.compile("^Found .* Java-level deadlock.*");
    private static final Pattern WAITER = Pattern.compile("^\"(.*)\":$");
    private static final Pattern WANTS =
            Pattern.compile(
                    "^\\s+waiting (?:for ownable synchronizer|to lock .*\\(object) (0x[0-9a-f]+),.*");
    private static final Pattern HELD = Pattern.compile("^\\s+(?:which is )?held by \"(.*)\"$");

    /// Maximum number of deadlocked threads that are read: each is searched among all threads with
    /// its name.
    private static final int MAX_WAITS = 1000;

    private int waits;
    private String waiter = "";
    private String wanted = "";
    private final List<List<Wait>> circles = new ArrayList<>();

    private record Wait(String waiter, String lock, String holder) {}

    /// Reads a line. True if the line belongs to such a section, which extends to the end of the
    /// dump.
    boolean takes(String line) {
        if (BEGINS.matcher(line).matches()) {
            circles.add(new ArrayList<>());
        } else if (!circles.isEmpty()) {
            line(line);
        }
        return !circles.isEmpty();
    }

    private void line(String line) {
        Matcher name = WAITER.matcher(line);
        Matcher lock = WANTS.matcher(line);
        Matcher holder = HELD.matcher(line);
        if (name.matches()) {
            waiter = name.group(1);
            wanted = "";
        } else if (lock.matches()) {
            wanted = lock.group(1);
        } else if (holder.matches() && !wanted.isEmpty()) {
            if (waits++ < MAX_WAITS) {
                circles.getLast().add(new Wait(waiter, wanted, holder.group(1)));
            }
            wanted = "";
        }
    }

    /// The threads of the dump with the locks that they hold according to the section.
    List<JavaThread> withDeadlocks(List<JavaThread> threads) {
        if (circles.isEmpty()) {
            return threads;
        }
        List<JavaThread> withDeadlocks = new ArrayList<>(threads);
        Map<String, List<Integer>> byName = new HashMap<>();
        for (int i = 0; i < threads.size(); i++) {
            byName.computeIfAbsent(threads.get(i).name(), _ -> new ArrayList<>()).add(i);
        }
        for (List<Wait> circle : circles) {
            for (int i = 0; i < circle.size(); i++) {
                // each thread is followed by the one that holds its lock
                Wait wait = circle.get(i);
                Wait holder = circle.get((i + 1) % circle.size());
                if (wait.holder().equals(holder.waiter())) {
                    addLock(
                            withDeadlocks,
                            byName.getOrDefault(holder.waiter(), List.of()),
                            holder,
                            wait);
                }
            }
        }
        return withDeadlocks;
    }

    /// Adds a lock to its holder. Thread names need not be unique: of several threads with the
    /// holder's name, it is the one that waits for the holder's own lock. If several wait for that
    /// lock, any of them will do, because only their names distinguish them.
    ///
    /// @param named indexes of the threads with the holder's name
    private static void addLock(
            List<JavaThread> threads, List<Integer> named, Wait holder, Wait wait) {
        for (int i : named) {
            JavaThread thread = threads.get(i);
            if (thread.waitsFor().filter(l -> l.id().equals(holder.lock())).isPresent()) {
                if (!thread.locked().contains(wait.lock())) {
                    threads.set(i, thread.alsoHolding(List.of(wait.lock())));
                }
                return;
            }
        }
    }
}
