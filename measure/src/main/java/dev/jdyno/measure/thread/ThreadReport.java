package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Activity of the threads of one JVM, over a short window and in one dump at its end.
///
/// @param seconds length of the window over which CPU is counted
/// @param census pools and threads in use, means over the window's dumps
/// @param states Java threads by state in the last dump; "runnable" is HotSpot's word and includes
///   threads in native code; empty without a dump
/// @param busiest threads by CPU over the window, busiest first; GC, compiler and VM threads too
/// @param locks locks for which threads wait in the last dump, the longest queue first
/// @param deadlocks threads that wait for each other in a circle
/// @param owners whether the owners of java.util.concurrent locks were requested
/// @param kernel all threads by the kernel's names, if the JVM gave no dump at the end; else empty
/// @param missing what could not be observed, each with the reason
public record ThreadReport(
        double seconds,
        ThreadSamples census,
        Map<String, Integer> states,
        List<Busy> busiest,
        List<Queue> locks,
        List<Deadlock> deadlocks,
        boolean owners,
        List<Group> kernel,
        List<String> missing) {
    public ThreadReport {
        states = Map.copyOf(states);
        busiest = List.copyOf(busiest);
        locks = List.copyOf(locks);
        kernel = List.copyOf(kernel);
        missing = List.copyOf(missing);
        deadlocks = List.copyOf(deadlocks);
    }

    /// Threads that wait for each other in a circle, so none of them can continue.
    ///
    /// @param circle each thread waits for a lock of the next one, the last for one of the first's
    public record Deadlock(List<Waits> circle) {
        /// Maximum number of frames of a thread that are reported.
        private static final int MAX_FRAMES = 3;

        public Deadlock {
            circle = List.copyOf(circle);
        }

        /// Names of the threads.
        public List<String> threads() {
            return circle.stream().map(Waits::thread).toList();
        }

        /// One sentence for each thread: the lock it waits for, its holder, and the frames of the
        /// application.
        public List<String> says() {
            List<String> reported = new ArrayList<>();
            for (int i = 0; i < circle.size(); i++) {
                Waits waits = circle.get(i);
                reported.add(
                        "\""
                                + waits.thread()
                                + "\" waits for "
                                + waits.lock()
                                + ", which \""
                                + circle.get((i + 1) % circle.size()).thread()
                                + "\" holds, in "
                                + waits.frames());
            }
            return reported;
        }

        /// @param lock the lock for which the thread waits: class and address
        /// @param stack top first
        public record Waits(String thread, String lock, List<String> stack) {
            public Waits {
                stack = List.copyOf(stack);
            }

            /// Frames of the application, innermost first, or all frames if there are none. JDK
            /// frames show only that the thread waits.
            String frames() {
                List<String> own =
                        stack.stream().filter(f -> !f.matches("(java|jdk|sun)\\..*")).toList();
                return (own.isEmpty() ? stack : own)
                        .stream().limit(MAX_FRAMES).collect(Collectors.joining(" < "));
            }
        }
    }

    /// Threads with the same kernel name, digits removed. The kernel keeps 15 characters of a name.
    ///
    /// @param states number of threads in each state, in words, at the end of the window
    /// @param cores CPU that all of them used over the window, in cores
    /// @param waitingCores mean number of them that were ready and waited for a core
    public record Group(
            String name,
            int threads,
            Map<String, Integer> states,
            double cores,
            double waitingCores) {
        public Group {
            name = Secrets.text(name);
            states = Map.copyOf(states);
        }
    }

    /// One thread with its CPU use and its stack, like a row of `top -H`.
    ///
    /// @param cores CPU used over the window, in cores
    /// @param waitingCores share of the window in which it was ready and waited for a core
    /// @param state state in the last dump; empty for a thread without a Java stack
    /// @param stack stack of the thread in the last dump, top frame first
    public record Busy(
            String name,
            long tid,
            double cores,
            double waitingCores,
            Optional<String> state,
            List<String> stack) {
        public Busy {
            name = Secrets.text(name);
            stack = List.copyOf(stack);
        }
    }

    /// Threads that wait for one monitor or synchronizer.
    ///
    /// @param lock the lock's class and address
    /// @param waiters names of the waiting threads
    /// @param holder empty if the dump does not name it (java.util.concurrent locks, unless owners
    ///   were requested)
    public record Queue(String lock, List<String> waiters, Optional<Holder> holder) {
        public Queue {
            waiters = List.copyOf(waiters);
        }
    }

    /// @param waitsFor the lock that the holder itself waits for
    public record Holder(String name, String state, List<String> stack, Optional<String> waitsFor) {
        public Holder {
            stack = List.copyOf(stack);
        }
    }
}
