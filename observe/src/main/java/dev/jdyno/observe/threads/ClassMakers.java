package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.Frames.Meaning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds working threads that create classes, by their stacks. For a script's compiler or a
/// generator of proxies, loading the class is the smallest part of the cost.
public final class ClassMakers {
    private final Frames frames;
    private final Map<String, Double> makers = new HashMap<>();
    private double atWork;

    public ClassMakers(Frames frames) {
        this.frames = frames;
    }

    public void add(List<SampledThread> dump) {
        dump.stream()
                .filter(s -> s.thread().isAtWork())
                .forEach(s -> {
                    atWork += s.weight();
                    maker(s.thread().thread().frames())
                            .ifPresent(m -> makers.merge(m, s.weight(), Double::sum));
                });
    }

    /// The share of the working threads that create classes; nothing if no thread was found at
    /// work.
    public Signals signals() {
        return Signals.share(Sign.MAKES_CLASSES_SHARE, makers, atWork);
    }

    /// The outermost frame in a stack that creates classes, and its caller. The stack has its top
    /// first.
    private Optional<String> maker(List<String> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            Optional<Meaning> maker = frames.maker(stack.get(i));
            if (maker.isPresent()) {
                return Optional.of(
                        maker.get().name()
                                + stack.stream()
                                        .skip(i + 1)
                                        .filter(f -> frames.of(f).isEmpty())
                                        .findFirst()
                                        .map(f -> " in " + f)
                                        .orElse(""));
            }
        }
        return Optional.empty();
    }
}
