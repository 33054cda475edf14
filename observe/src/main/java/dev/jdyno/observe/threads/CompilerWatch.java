package dev.jdyno.observe.threads;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.PerfData;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Samples the work of a JVM's JIT compilers: their CPU use and waits (`schedstat`), the methods
/// that wait for them (`Compiler.queue`), the methods they have compiled (perf data). If a source
/// is missing, it is reported and the others are still used.
public final class CompilerWatch implements AutoCloseable {
    /// Maximum time for an answer. A JVM whose threads all wait for a core answers late, and the
    /// load continues meanwhile.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /// Maximum number of commands in a row without an answer. After them no more commands are sent.
    private static final int MAX_UNANSWERED = 2;

    private static final List<String> COMPILED =
            List.of("sun.ci.standardCompiles", "sun.ci.osrCompiles");

    private final CompilerThreads threads;
    private final Jcmd jcmd;
    private final @Nullable PerfData perf;
    private final List<String> missing = new ArrayList<>();
    private int unanswered;
    private Optional<Long> compiled;

    private CompilerWatch(CompilerThreads threads, Jcmd jcmd, @Nullable PerfData perf) {
        this.threads = threads;
        this.jcmd = jcmd;
        this.perf = perf;
        threads.missing().ifPresent(missing::add);
        this.compiled = compiled();
        threads.take();
    }

    public static CompilerWatch of(Target target) {
        var threads = new CompilerThreads(ProcFs.SYSTEM, target.pid());
        try {
            var watch = new CompilerWatch(threads, target.jcmd(), PerfData.of(target.pid()));
            if (watch.compiled.isEmpty()) {
                watch.missing.add("its perf data does not count compiled methods");
            }
            return watch;
        } catch (UserError none) {
            var watch = new CompilerWatch(threads, target.jcmd(), null);
            watch.missing.add("compiled methods are not counted: " + none.why());
            return watch;
        }
    }

    /// Activity of the compilers since the previous sample.
    ///
    /// @param seconds time since then
    public CompilerSample look(double seconds) throws InterruptedException {
        CompilerThreads.Taken taken = threads.take();
        Optional<Long> before = compiled;
        compiled = compiled();
        boolean seen = threads.missing().isEmpty() && seconds > 0;
        return new CompilerSample(
                seen ? Optional.of(taken.used() / seconds) : Optional.empty(),
                seen ? Optional.of(taken.waited() / seconds) : Optional.empty(),
                queued(),
                before.filter(_ -> seconds > 0)
                        .flatMap(b -> compiled.map(now -> Math.max(0, now - b) / seconds)));
    }

    /// The sources that are not available, with the reason.
    public List<String> missing() {
        return List.copyOf(missing);
    }

    private Optional<Long> compiled() {
        if (perf == null) {
            return Optional.empty();
        }
        long sum = 0;
        for (String counter : COMPILED) {
            var value = perf.value(counter);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            sum += value.getAsLong();
        }
        return Optional.of(sum);
    }

    private Optional<Integer> queued() throws InterruptedException {
        if (unanswered >= MAX_UNANSWERED) {
            return Optional.empty();
        }
        String why;
        try {
            Optional<Integer> length =
                    CompileQueue.length(jcmd.run(CompileQueue.COMMAND, PATIENCE));
            if (length.isPresent()) {
                unanswered = 0;
                return length;
            }
            why = "its answer names no queue";
        } catch (UserError refused) {
            why = refused.what() + ": " + refused.why();
        }
        unanswered++;
        if (unanswered == MAX_UNANSWERED) {
            missing.add("the compile queue is not seen: " + why);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        if (perf != null) {
            perf.close();
        }
    }
}
