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

/// What the holders of that which the threads of one dump wait for are doing. Thousands wait for
/// one lock, and each would look through thousands: the same question is asked once.
final class Holders {
    private final List<SampledThread> dump;
    private final BiFunction<SampledThread, ThreadActivity, Place> places;
    private final Map<Asked, Optional<Found>> known = new HashMap<>();

    private record Asked(Optional<String> lock, Optional<String> method, Cause cause) {}

    /// @param stack its frames of the application, the innermost first
    record Found(Holder holder, List<SourceLine> stack) {}

    /// Holders of one thing, over all dumps.
    static final class Tally {
        private final Map<Found, Integer> found = new HashMap<>();

        void add(Found holder) {
            found.merge(holder, 1, Integer::sum);
        }

        /// What the holder did in most dumps.
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

        /// The stack in which it was found most often when it did that; empty where no frame of the
        /// application was found in it.
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

    /// @param places where a thread is, with the other side of its call
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

    /// What the holder of the thing that `waiter` waits for is doing. A monitor's holder is printed
    /// in the dump. Of a java.util.concurrent lock or a pool it is not: there the threads count
    /// that are inside the same method of the application and do something else, or the only one
    /// inside the same class.
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

    /// A lock may be taken in one method of a class and waited for in another: the one thread, if
    /// it is the only one, that is past it in any of them.
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

    /// Past the wait that `cause` stands for. Of a log all threads have the same cause: the one
    /// that writes is further than those that wait.
    private static boolean isFurther(Classified other, Cause cause) {
        return other.doing().orElseThrow().cause() != cause
                || (cause == Cause.LOGGING && other.thread().state() == ThreadDump.State.RUNNABLE);
    }

    private Found found(boolean guess, SampledThread other) {
        return new Found(new Holder.SeenThread(guess, held(other)), stack(other.thread()));
    }

    /// What a holder does. A call is recognised by its other side; where a holder makes it, the
    /// code is kept as well.
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
