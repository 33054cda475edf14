package dev.jdyno.diagnose.breakdown;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Profile.Node;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Threads that wait for a mutex of the JVM itself: to allocate, to enter compiled code into the
/// code cache, to reach a safepoint. Dumps report them as RUNNABLE, like threads in native code or
/// in a run queue. Only stacks with native frames distinguish them.
final class JvmMutexes {
    // frames such as pthread_mutex_lock, __lll_lock_wait, ___pthread_mutex_lock,
    // Mutex::lock_contended, Monitor::ILock, PlatformMutex::lock
    private static final Pattern LOCKS =
            Pattern.compile(
                    "^_*(pthread_mutex_(timed)?lock|lll_lock_wait)|(Mutex|Monitor)::(I?[lL]ock|wait)");

    /// Waits that Java code requested: a lock, a condition, a sleep.
    private static final Pattern ASKED_FOR =
            Pattern.compile(
                    "Unsafe_Park|Unsafe\\.park|Parker::park|ObjectMonitor|ObjectSynchronizer"
                            + "|JVM_MonitorWait|Object\\.wait|JVM_Sleep|Thread\\.sleep");

    private JvmMutexes() {}

    /// Returns the mean number of threads that wait for a mutex of the JVM; 0 without native
    /// frames.
    static double threads(Profile wall) {
        return samples(wall.root()) * wall.threadsPerSample();
    }

    private static long samples(Node node) {
        if (ASKED_FOR.matcher(node.frame()).find()) {
            return 0;
        }
        return Profile.isNative(node.frame()) && LOCKS.matcher(node.frame()).find()
                ? node.samples()
                : node.children().stream().mapToLong(JvmMutexes::samples).sum();
    }

    /// Returns the same window with threads that wait for JVM mutexes as a separate part. They are
    /// no longer counted as threads in native code or in the run queue.
    ///
    /// @param wall the profile at the same load; empty if there is none
    static ThreadSamples apart(ThreadSamples window, Optional<Profile> wall) {
        double waiting = wall.map(JvmMutexes::threads).orElse(0.0);
        if (waiting <= 0) {
            return window;
        }
        List<ThreadSamples.Busy> sorted =
                window.busy().stream()
                        .filter(JvmMutexes::hidesThem)
                        .sorted(Comparator.comparing(b -> b.cause() != Cause.OTHER))
                        .toList();
        List<ThreadSamples.Busy> busy = new ArrayList<>(window.busy());
        double found = 0;
        for (ThreadSamples.Busy b : sorted) {
            double here = Math.min(b.threads(), waiting - found);
            if (here > 0) {
                busy.remove(b);
                if (b.threads() > here) {
                    busy.add(b.times(1 - here / b.threads()));
                }
                found += here;
            }
        }
        if (found > 0) {
            busy.add(
                    new ThreadSamples.Busy(
                            Cause.JVM_MUTEX, new Place.Common(Activity.JVM_MUTEX), found));
        }
        return window.closed(window.pools(), busy);
    }

    private static boolean hidesThem(ThreadSamples.Busy b) {
        return switch (b.cause()) {
            case OTHER -> b.place().is(Activity.NATIVE) || b.place().is(Activity.IN_JVM);
            case RUN_QUEUE -> b.place().is(Activity.RUN_QUEUE);
            default -> false;
        };
    }
}
