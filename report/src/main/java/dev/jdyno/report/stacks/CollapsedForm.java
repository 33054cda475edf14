package dev.jdyno.report.stacks;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.report.words.FrameName;
import java.nio.charset.StandardCharsets;

/// Collapsed stacks, one per line: `[http-nio-exec];java/lang/Thread.run;com/acme/Page.get 12`.
/// flamegraph.pl, async-profiler's converter, speedscope and IntelliJ read them.
final class CollapsedForm {
    /// Maximum length of a name that is checked for being a Java name, in characters.
    /// async-profiler does not write longer ones.
    private static final int LONGEST_JAVA = 2000;

    private CollapsedForm() {}

    static byte[] of(Profile profile) {
        var text = new StringBuilder();
        for (Stack stack : Stack.of(profile)) {
            String before = "";
            for (String frame : stack.frames()) {
                text.append(before).append(escaped(frame));
                before = ";";
            }
            text.append(' ').append(stack.samples()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// A frame without the separator of frames: `;` becomes `:`, as in stackcollapse-perf.pl. A
    /// Java method has its package with slashes, as async-profiler writes it; flamegraph.pl
    /// recognises Java frames by the slashes.
    private static String escaped(String frame) {
        boolean java = frame.length() <= LONGEST_JAVA && FrameName.isJava(frame);
        int method = java ? frame.lastIndexOf('.') : 0;
        return (frame.substring(0, method).replace('.', '/') + frame.substring(method))
                .replace(';', ':');
    }
}
