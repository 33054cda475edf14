package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.Frames.Meaning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which threads at work make classes, by their stacks: loading the class is the least of what a
/// script's compiler or a generator of proxies costs.
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

    /// Nothing where no thread was found at work.
    public Signals signals() {
        return Signals.share(Sign.MAKES_CLASSES_SHARE, makers, atWork);
    }

    /// The outermost frame of a maker in a stack, its top first, and who called it.
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
