package dev.jdyno.report.stacks;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Profile;
import java.util.ArrayList;
import java.util.List;

/// A stack and the samples whose innermost frame is its last frame.
///
/// @param frames outermost first, each on one line and not blank; the first is the thread pool in
///   brackets
/// @param samples number of samples, at least 1
record Stack(List<String> frames, long samples) {
    /// Stands for the thread pools that have too few samples to be kept in a profile.
    static final String OTHER_POOLS = "[other pools]";

    /// Stands for a frame without a name, as in the output of perf.
    static final String UNKNOWN = "[unknown]";

    Stack {
        frames = List.copyOf(frames);
    }

    /// The stacks of a profile. The sum of their samples is that of the profile. The samples of
    /// branches that the profile left out count for the frame above them.
    ///
    /// @throws IllegalArgumentException if a frame has fewer samples than the frames below it,
    ///   which only a damaged file has
    static List<Stack> of(Profile profile) {
        List<Stack> stacks = new ArrayList<>();
        Profile.Node root = profile.root();
        addSelf(root, List.of(OTHER_POOLS), stacks);
        for (Profile.Node pool : root.children()) {
            List<String> path = new ArrayList<>();
            path.add(bracketed(named(pool.frame())));
            add(pool, path, stacks);
        }
        return stacks;
    }

    private static void add(Profile.Node node, List<String> path, List<Stack> stacks) {
        addSelf(node, path, stacks);
        for (Profile.Node child : node.children()) {
            path.add(named(child.frame()));
            add(child, path, stacks);
            path.removeLast();
        }
    }

    private static void addSelf(Profile.Node node, List<String> path, List<Stack> stacks) {
        long self = node.samples();
        for (Profile.Node child : node.children()) {
            self = Math.subtractExact(self, child.samples());
        }
        if (self < 0) {
            throw new IllegalArgumentException(
                    "the frame " + path.getLast() + " has fewer samples than the frames below it");
        }
        if (self > 0) {
            stacks.add(new Stack(path, self));
        }
    }

    /// The name of a pool in brackets. The JVM's lost samples have a name in brackets already.
    private static String bracketed(String pool) {
        return pool.startsWith("[") && pool.endsWith("]") ? pool : "[" + pool + "]";
    }

    private static String named(String frame) {
        String line = Printable.line(frame);
        return line.isBlank() ? UNKNOWN : line;
    }
}
