package dev.jdyno.diagnose.cpu;

import dev.jdyno.measure.thread.Profile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The callers of a hot method, from a profile. A library's method alone does not show which code
/// uses it.
final class HotPath {
    /// Maximum number of callers that are named. Callers further out usually belong to frameworks.
    private static final int CALLERS = 3;

    private HotPath() {}

    /// Returns the callers on the path with most samples of the method `hot`, the nearest first,
    /// one per class. The class of `hot`, the JDK and generated classes are skipped.
    static List<String> callers(Profile profile, String hot) {
        return most(profile.root(), hot, new ArrayDeque<>())
                .map(w -> named(w.way(), hot))
                .orElse(List.of());
    }

    /// Returns the nearest caller on the path with most samples of `hot` that belongs to the
    /// service's own code.
    static Optional<String> caller(Profile profile, String hot, Predicate<String> own) {
        return most(profile.root(), hot, new ArrayDeque<>())
                .flatMap(w -> w.way().stream().filter(own).findFirst());
    }

    /// @param way the calling frames, the nearest first
    private record Way(long samples, List<String> way) {}

    private static Optional<Way> most(Profile.Node at, String hot, Deque<String> way) {
        if (at.frame().equals(hot)) {
            return Optional.of(new Way(at.samples(), List.copyOf(way)));
        }
        way.push(at.frame());
        Optional<Way> best = Optional.empty();
        for (Profile.Node child : at.children()) {
            // a subtree with fewer samples than the best path cannot contain a better one
            if (best.filter(b -> b.samples() >= child.samples()).isEmpty()) {
                Optional<Way> found = most(child, hot, way);
                long min = best.map(Way::samples).orElse(0L);
                best = found.filter(f -> f.samples() > min).isPresent() ? found : best;
            }
        }
        way.pop();
        return best;
    }

    private static List<String> named(List<String> way, String hot) {
        List<String> named = new ArrayList<>();
        String last = classOf(hot);
        for (String frame : way) {
            String owner = classOf(frame);
            boolean passedOver =
                    owner.isEmpty()
                            || owner.equals(last)
                            || owner.contains("$$")
                            || Profile.isOfTheJdk(frame);
            if (!passedOver) {
                named.add(frame);
                last = owner;
            }
            if (named.size() == CALLERS) {
                break;
            }
        }
        return named;
    }

    private static String classOf(String frame) {
        int dot = frame.lastIndexOf('.');
        return dot < 0 ? "" : frame.substring(0, dot);
    }
}
