package dev.jdyno.diagnose.cpu;

import dev.jdyno.measure.thread.Profile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Through which methods a hot one is reached, by a profile: a library's method says little of
/// whose it is.
final class HotPath {
    /// Callers that are named: beyond them stand frameworks.
    private static final int CALLERS = 3;

    private HotPath() {}

    /// The callers of most of the samples in `hot`, the nearest first, one of each class; those of
    /// its own class, of the JDK and of generated classes are passed over.
    static List<String> callers(Profile profile, String hot) {
        return most(profile.root(), hot, new ArrayDeque<>())
                .map(w -> named(w.way(), hot))
                .orElse(List.of());
    }

    /// @param way frames above it, the nearest first
    private record Way(long samples, List<String> way) {}

    private static Optional<Way> most(Profile.Node at, String hot, Deque<String> way) {
        if (at.frame().equals(hot)) {
            return Optional.of(new Way(at.samples(), List.copyOf(way)));
        }
        way.push(at.frame());
        Optional<Way> best = Optional.empty();
        for (Profile.Node child : at.children()) {
            // fewer samples than the best has cannot hold more of them
            if (best.filter(b -> b.samples() >= child.samples()).isEmpty()) {
                Optional<Way> found = most(child, hot, way);
                long least = best.map(Way::samples).orElse(0L);
                best = found.filter(f -> f.samples() > least).isPresent() ? found : best;
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
