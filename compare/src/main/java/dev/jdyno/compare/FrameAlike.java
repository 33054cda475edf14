package dev.jdyno.compare;

import dev.jdyno.measure.thread.Profile;
import java.util.regex.Pattern;

/// Removes the parts of frame names that differ between JVMs: addresses and numbers of generated
/// classes, and ports in names of thread pools.
final class FrameAlike {
    /// `.0x000000006e1bbe90`, `/0x000000006e1bbe90`.
    private static final Pattern ADDRESS = Pattern.compile("[./]0x[0-9a-fA-F]+");

    /// `$$Lambda$12`, `$Proxy34`, `GeneratedMethodAccessor5`, `$$FastClassBySpringCGLIB$$1a2b3c4d`.
    private static final Pattern NUMBER =
            Pattern.compile(
                    "(?<=\\$\\$Lambda\\$|\\$Proxy|Accessor)\\d+|(?<=CGLIB\\$\\$)[0-9a-f]{6,}");

    private static final Pattern PORT = Pattern.compile("(?<!\\d)\\d{4,5}(?!\\d)");

    private FrameAlike() {}

    /// Returns the same tree with such names removed. The root's children are pools, their children
    /// frames.
    static Profile.Node of(Profile.Node root) {
        return new Profile.Node(
                root.frame(),
                root.samples(),
                root.children().stream()
                        .map(pool ->
                                new Profile.Node(
                                        PORT.matcher(pool.frame()).replaceAll("#"),
                                        pool.samples(),
                                        pool.children().stream().map(FrameAlike::frame).toList()))
                        .toList());
    }

    private static Profile.Node frame(Profile.Node node) {
        return new Profile.Node(
                name(node.frame()),
                node.samples(),
                node.children().stream().map(FrameAlike::frame).toList());
    }

    static String name(String frame) {
        return NUMBER.matcher(ADDRESS.matcher(frame).replaceAll("")).replaceAll("");
    }
}
