package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.threads.SampledThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/// Finds the holders of the locks and resources that the threads of one dump wait for, and the
/// activity of each holder. Thousands of threads may wait for one lock, and a search examines all
/// threads. So the result of each search is stored.
final class Holders {
    private final List<SampledThread> dump;
    private final BiFunction<SampledThread, ThreadActivity, Place> places;
    private final Map<Asked, Optional<Found>> known = new HashMap<>();

    private record Asked(Optional<String> lock, Optional<String> method, Cause cause) {}

    /// @param stack frames of the application, the innermost first
    record Found(Holder holder, List<SourceLine> stack) {}

    /// The holders of one lock or resource, counted over all dumps.
    static final class Tally {
        private final Map<Found, Integer> found = new HashMap<>();

        void add(Found holder) {
            found.merge(holder, 1, Integer::sum);
        }

        /// The most frequent activity of the holder over all dumps.
        Optional<Holder> mostFrequent() {
            return found.entrySet().stream()
                    .collect(
                            Collectors.groupingBy(
                                    e -> e.getKey().holder(),
                                    Collectors.summingInt(Map.Entry::getValue)))
                    .entrySet()
                    .stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey);
        }

        /// The most frequent stack of the holder during that activity; empty if it contained no
        /// frame of the application.
        List<SourceLine> stack() {
            Optional<Holder> holder = mostFrequent();
            return found.entrySet().stream()
                    .filter(e -> holder.equals(Optional.of(e.getKey().holder())))
                    .max(
                            Map.Entry.<Found, Integer>comparingByValue()
                                    .thenComparing(
                                            e -> e.getKey().stack().toString(),
                                            Comparator.reverseOrder()))
                    .map(e -> e.getKey().stack())
                    .orElse(List.of());
        }
    }

    /// @param places gives the place of a thread, with the other side of its call
    Holders(List<SampledThread> dump, BiFunction<SampledThread, ThreadActivity, Place> places) {
        this.dump = dump;
        this.places = places;
    }

    Optional<Found> of(SampledThread waiter) {
        var asked =
                new Asked(
                        waiter.thread().thread().waitsFor().map(ThreadDump.LockRef::id),
                        waiter.thread().appFrame(),
                        waiter.thread().doing().orElseThrow().cause());
        return known.computeIfAbsent(asked, _ -> holder(waiter));
    }

    /// Activity of the holder of the lock or resource that `waiter` waits for. The dump names the
    /// holder of a monitor, but not that of a java.util.concurrent lock or of a pooled resource. In
    /// that case, threads inside the same method of the application that do something else count as
    /// holders; for a lock, also the only such thread inside the same class.
    private Optional<Found> holder(SampledThread waiter) {
        Optional<String> lock = waiter.thread().thread().waitsFor().map(ThreadDump.LockRef::id);
        if (lock.isPresent()) {
            for (SampledThread other : dump) {
                if (other.thread().thread().locked().contains(lock.get())) {
                    return Optional.of(found(false, other));
                }
            }
        }
        Optional<String> method = waiter.thread().appFrame();
        if (method.isEmpty()) {
            return Optional.empty();
        }
        Cause cause = waiter.thread().doing().orElseThrow().cause();
        List<SampledThread> further =
                dump.stream()
                        .filter(o -> o.thread().doing().isPresent())
                        .filter(o -> isFurther(o.thread(), cause))
                        .toList();
        return further.stream()
                .filter(o -> o.thread().thread().frames().contains(method.get()))
                .collect(Collectors.groupingBy(this::held))
                .values()
                .stream()
                .max(Comparator.comparingInt(List::size))
                .map(List::getFirst)
                .or(() -> cause == Cause.LOCK ? onlyOne(further, method.get()) : Optional.empty())
                .map(other -> found(true, other));
    }

    /// A lock may be taken in one method of a class and waited for in another. Returns the thread
    /// that is past the wait in any of these methods, if it is the only one.
    private static Optional<SampledThread> onlyOne(List<SampledThread> further, String method) {
        String type = method.substring(0, method.lastIndexOf('.') + 1);
        List<SampledThread> inside =
                further.stream()
                        .filter(o ->
                                o.thread().thread().frames().stream()
                                        .anyMatch(f -> f.startsWith(type)))
                        .toList();
        return inside.size() == 1 && !type.isEmpty()
                ? Optional.of(inside.getFirst())
                : Optional.empty();
    }

    /// True if the thread is past the wait that `cause` describes. All threads in a log have the
    /// same cause; the one that writes is past those that wait.
    private static boolean isFurther(Classified other, Cause cause) {
        return other.doing().orElseThrow().cause() != cause
                || (cause == Cause.LOGGING && other.thread().state() == ThreadDump.State.RUNNABLE);
    }

    private Found found(boolean guess, SampledThread other) {
        return new Found(new Holder.SeenThread(guess, held(other)), stack(other.thread()));
    }

    /// Activity of a holder. A call is identified by its other side, so the code that makes the
    /// call is kept as well.
    private Optional<Holder.Doing> held(SampledThread seen) {
        return seen.thread()
                .doing()
                .map(d ->
                        new Holder.Doing(
                                d.cause(),
                                places.apply(seen, d).withoutId(),
                                d.call().flatMap(_ -> seen.thread().appFrame())));
    }

    private static List<SourceLine> stack(Classified holder) {
        List<SourceLine> stack = new ArrayList<>();
        for (int at : holder.application()) {
            String method = holder.thread().frames().get(at);
            holder.thread()
                    .source(at)
                    .map(s -> new SourceLine(method, Optional.of(s.file()), s.line(), 1))
                    .ifPresent(stack::add);
        }
        return stack;
    }
}
