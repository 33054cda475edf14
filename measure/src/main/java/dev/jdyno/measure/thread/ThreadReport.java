package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the threads of one JVM do, over a short window and in one dump at its end.
///
/// @param seconds length of the window over which CPU is counted
/// @param census pools and threads in use, means over the window's dumps
/// @param states Java threads by state in the last dump; "runnable" is HotSpot's word and includes
///   threads in native code; empty without a dump
/// @param busiest threads by CPU over the window, busiest first; GC, compiler and VM threads too
/// @param locks what threads wait for in the last dump, longest queue first
/// @param deadlocks threads that wait for each other in a circle
/// @param owners whether the owners of java.util.concurrent locks were asked for
/// @param kernel all threads by the kernel's names, where the JVM gave no dump at the end; else
///   empty
/// @param missing what could not be seen, each with the reason
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

    /// Threads that wait for each other in a circle: none of them goes on.
    ///
    /// @param circle each waits for a lock that the next one holds, the last for one of the first's
    public record Deadlock(List<Waits> circle) {
        /// Frames of a thread that are reported.
        private static final int FRAMES_TOLD = 3;

        public Deadlock {
            circle = List.copyOf(circle);
        }

        /// By their names.
        public List<String> threads() {
            return circle.stream().map(Waits::thread).toList();
        }

        /// Who waits for what, who holds it, and where in the application.
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

        /// @param lock that it waits for: class and address
        /// @param stack top first
        public record Waits(String thread, String lock, List<String> stack) {
            public Waits {
                stack = List.copyOf(stack);
            }

            /// Those of the application, innermost first; the JDK's say only that it waits.
            String frames() {
                List<String> own =
                        stack.stream().filter(f -> !f.matches("(java|jdk|sun)\\..*")).toList();
                return (own.isEmpty() ? stack : own)
                        .stream().limit(FRAMES_TOLD).collect(Collectors.joining(" < "));
            }
        }
    }

    /// Threads of one kernel name without its digits. The kernel keeps 15 characters of a name.
    ///
    /// @param states their number in each state, in words, at the end of the window
    /// @param cores used over the window by all of them
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

    /// One thread and its CPU: `top -H` and the stack in one row (E10's hand work).
    ///
    /// @param cores used over the window
    /// @param waitingCores mean time it was ready and waited for a core
    /// @param state in the last dump; empty for a thread without a Java stack
    /// @param stack in the last dump, top first
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
    /// @param lock class and address
    /// @param waiters names of the waiting threads
    /// @param holder empty when the dump does not tell (java.util.concurrent locks, unless owners
    ///   were asked for)
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
