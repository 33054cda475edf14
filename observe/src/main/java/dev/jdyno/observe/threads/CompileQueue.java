package dev.jdyno.observe.threads;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The number of methods that wait for a JIT compiler, from `Compiler.queue` (JDK 9+), which takes
/// a short safepoint.
///
/// ```
/// Current compiles:
/// C2 CompilerThread0  6943       4       java.util.Spliterators::spliterator (10 bytes)
///
/// C1 compile queue:
/// 8046       3       java.lang.StringBuilder::indexOf (6 bytes)
///
/// C2 compile queue:
/// Empty
/// ```
///
/// A JVM without compilers (`-Xint`) has no queue in its answer.
public final class CompileQueue {
    public static final String COMMAND = "Compiler.queue";

    private static final Pattern CURRENT = Pattern.compile("\\s*Current compiles:.*");
    private static final Pattern QUEUE = Pattern.compile("\\s*\\S+ compile queue:\\s*");
    //  8046  !  3       java.lang.StringBuilder::indexOf (6 bytes)
    private static final Pattern METHOD = Pattern.compile("\\s*\\d+\\s+.*");

    private CompileQueue() {}

    /// Number of methods in all queues, without those that are being compiled; empty if the text is
    /// not an answer to the command.
    public static Optional<Integer> length(String answer) {
        List<String> lines = answer.lines().toList();
        if (lines.stream().noneMatch(l -> CURRENT.matcher(l).matches())) {
            return Optional.empty();
        }
        int methods = 0;
        boolean inQueue = false;
        for (String line : lines) {
            if (QUEUE.matcher(line).matches()) {
                inQueue = true;
            } else if (line.isBlank() || CURRENT.matcher(line).matches()) {
                inQueue = false;
            } else if (inQueue && METHOD.matcher(line).matches()) {
                methods++;
            }
        }
        return Optional.of(methods);
    }
}
