package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Collects stacks into a tree and prunes branches that are invisible in a flame graph.
public final class StackTree {
    /// Minimum share of all samples for a branch to be kept. A narrower branch cannot be read in a
    /// flame graph.
    static final double THINNEST = 0.003;

    /// Maximum number of frames of a stack that are kept. Readers of JSON accept 500 levels and
    /// browsers nest 512 elements, and a frame needs two of either.
    static final int DEEPEST = 220;

    /// Number of outermost frames among them: they show the server and the request. The others are
    /// the innermost frames, which show the activity.
    private static final int OUTERMOST = 80;

    private final Branch root = new Branch();

    private static final class Branch {
        private long samples;
        private final Map<String, Branch> children = new HashMap<>();
    }

    /// @param group the node below the root, such as a thread pool
    /// @param frames outermost first
    public void add(String group, List<String> frames, long samples) {
        root.samples += samples;
        Branch at = child(root, group, samples);
        for (String frame : shortened(frames)) {
            at = child(at, frame, samples);
        }
    }

    /// A deeper stack, usually by recursion, is kept without its middle. A text in its place gives
    /// the number of frames that were left out.
    private static List<String> shortened(List<String> frames) {
        if (frames.size() <= DEEPEST) {
            return frames;
        }
        int left = frames.size() - (DEEPEST - 1);
        List<String> kept = new ArrayList<>(frames.subList(0, OUTERMOST));
        kept.add("[" + left + " frames left out]");
        kept.addAll(frames.subList(OUTERMOST + left, frames.size()));
        return kept;
    }

    private static Branch child(Branch parent, String frame, long samples) {
        Branch child = parent.children.computeIfAbsent(frame, _ -> new Branch());
        child.samples += samples;
        return child;
    }

    public long samples() {
        return root.samples;
    }

    /// @param threadsPerSample threads or cores that one sample represents
    public Profile profile(Profile.Kind kind, String source, double threadsPerSample) {
        long min = Math.max(1, (long) Math.ceil(root.samples * THINNEST));
        var cut = new Cut(min);
        Profile.Node tree = cut.node("all", root);
        return new Profile(kind, source, 0, 0, threadsPerSample, cut.pruned, tree);
    }

    private static final class Cut {
        private final long min;
        private long pruned;

        Cut(long min) {
            this.min = min;
        }

        Profile.Node node(String frame, Branch branch) {
            List<Profile.Node> children = new ArrayList<>();
            branch.children.forEach((name, child) -> {
                if (child.samples >= min) {
                    children.add(node(name, child));
                } else {
                    pruned += child.samples;
                }
            });
            children.sort(
                    Comparator.comparingLong(Profile.Node::samples)
                            .reversed()
                            .thenComparing(Profile.Node::frame));
            return new Profile.Node(frame, branch.samples, children);
        }
    }
}
