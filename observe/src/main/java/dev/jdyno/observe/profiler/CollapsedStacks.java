package dev.jdyno.observe.profiler;

import dev.jdyno.foreign.ForeignNumber;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.StackTree;
import dev.jdyno.observe.stacks.ThreadDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads async-profiler's collapsed form, one stack per line. The target writes it, so lines
/// without a stack and a count are left out.
public final class CollapsedStacks {
    /// Maximum length of a line that is read, in characters: 2048 frames, the maximum of
    /// async-profiler.
    private static final int LONGEST_LINE = 1 << 18;

    private static final int LONGEST_FRAME = 2000;

    private CollapsedStacks() {}

    /// Reads a copied file. It is UTF-8, because thread names may use any script; invalid bytes are
    /// replaced.
    public static StackTree read(Path file, Optional<StackClassifier> onlyBusy) throws IOException {
        return tree(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), onlyBusy);
    }

    /// Parses lines of thread, frames and number of samples: `[http-nio-exec-1
    /// tid=17];java/lang/Thread.run;…;com/acme/Page.get 12`.
    ///
    /// @param onlyBusy distinguishes working threads from others, which are left out; empty takes
    ///   all
    public static StackTree tree(String collapsed, Optional<StackClassifier> onlyBusy) {
        var tree = new StackTree();
        collapsed
                .lines()
                .filter(line -> line.length() <= LONGEST_LINE)
                .forEach(line -> {
                    int blank = line.lastIndexOf(' ');
                    OptionalLong samples =
                            blank > 0
                                    ? ForeignNumber.whole(line.substring(blank + 1))
                                    : OptionalLong.empty();
                    if (samples.isPresent()) {
                        add(tree, line.substring(0, blank), samples.getAsLong(), onlyBusy);
                    }
                });
        return tree;
    }

    private static void add(
            StackTree tree, String stack, long samples, Optional<StackClassifier> onlyBusy) {
        // the limit -1 keeps empty names; without it, a stack of semicolons only would give an
        // empty list
        List<String> all = List.of(stack.split(";", -1));
        boolean named = all.getFirst().startsWith("[");
        String thread = named ? threadName(all.getFirst()) : "threads";
        List<String> frames =
                all.subList(named ? 1 : 0, all.size()).stream()
                        .map(f -> f.length() > LONGEST_FRAME ? f.substring(0, LONGEST_FRAME) : f)
                        .map(f -> f.replace('/', '.'))
                        .toList();
        if (onlyBusy.isEmpty() || isBusy(thread, frames, onlyBusy.get())) {
            tree.add(PoolName.of(thread), frames, samples);
        }
    }

    /// The thread's name in the first frame: `http-nio-exec-1` of `[http-nio-exec-1 tid=17]`.
    private static String threadName(String frame) {
        int tid = frame.lastIndexOf(" tid=");
        return frame.substring(1, tid > 0 ? tid : Math.max(1, frame.length() - 1));
    }

    private static boolean isBusy(String name, List<String> frames, StackClassifier classifier) {
        List<String> java =
                frames.stream().filter(f -> f.indexOf('.') > 0 && !f.contains("::")).toList();
        if (java.isEmpty()) {
            return false;
        }
        var thread =
                new ThreadDump.JavaThread(
                        name,
                        0,
                        ThreadDump.State.RUNNABLE,
                        Optional.empty(),
                        java.reversed(),
                        Optional.empty(),
                        List.of());
        return classifier.classify(thread).isAtWork();
    }
}
