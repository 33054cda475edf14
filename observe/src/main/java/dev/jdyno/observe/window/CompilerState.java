package dev.jdyno.observe.window;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.threads.CompileQueue;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whether the JVM still compiles, from `Compiler.codecache` (JDK 9+), which takes no safepoint,
/// and how many methods wait to be compiled.
public final class CompilerState {
    //  compilation: enabled                                (17)
    // Compilation: disabled (interpreter mode), stopped_count=0, restarted_count=0   (25)
    private static final Pattern COMPILATION =
            Pattern.compile("(?m)^\\s*[Cc]ompilation: (enabled|disabled)");
    //  full_count=0
    private static final Pattern FULL = Pattern.compile("\\bfull_count=(\\d+)");

    private CompilerState() {}

    /// Runs a command in the JVM.
    interface Command {
        /// @throws UserError when the JVM does not know the command, or does not answer
        String run(String command) throws InterruptedException;
    }

    /// The signs from the JVM's answers to the two commands; a command without an answer gives no
    /// sign.
    static Signals ask(Command jvm) throws InterruptedException {
        return ask(jvm, "Compiler.codecache", CompilerState::of)
                .and(ask(jvm, CompileQueue.COMMAND, CompilerState::queue));
    }

    private static Signals ask(Command jvm, String command, Function<String, Signals> read)
            throws InterruptedException {
        try {
            return read.apply(jvm.run(command));
        } catch (UserError notAnswered) {
            return Signals.NONE;
        }
    }

    static Signals queue(String answer) {
        return CompileQueue.length(answer)
                .map(n -> new Signals(Map.of(Sign.COMPILE_QUEUE, (double) n)))
                .orElse(Signals.NONE);
    }

    public static Signals of(String answer) {
        Map<Sign, Double> v = new EnumMap<>(Sign.class);
        Matcher compilation = COMPILATION.matcher(answer);
        if (compilation.find()) {
            v.put(Sign.COMPILER_OFF, compilation.group(1).equals("disabled") ? 1.0 : 0.0);
        }
        Matcher full = FULL.matcher(answer);
        double times = 0;
        boolean seen = false;
        while (full.find()) {
            // one line for each code heap
            times += Double.parseDouble(full.group(1));
            seen = true;
        }
        if (seen) {
            v.put(Sign.CODE_CACHE_FULL, times);
        }
        return new Signals(v);
    }
}
