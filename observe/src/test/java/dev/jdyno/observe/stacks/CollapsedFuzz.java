package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.profiler.CollapsedStacks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// A profile in async-profiler's collapsed form.
public final class CollapsedFuzz {
    private static final StackClassifier CLASSIFIER = new StackClassifier(Frames.builtIn());

    private CollapsedFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        var _ = CollapsedStacks.tree(text, Optional.of(CLASSIFIER));
        var _ =
                CollapsedStacks.tree(text, Optional.empty())
                        .profile(Profile.Kind.CPU, "fuzz", 0.01);
    }

    public static List<byte[]> seeds() {
        return List.of(
                        """
                        [http-nio-exec-1 tid=17];java/lang/Thread.run;com/acme/Page.get 12
                        [GC Thread#0 tid=2];start_thread;G1ParTask::work 3
                        com/acme/A.b;com/acme/A.c_[k] 1
                        """)
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
