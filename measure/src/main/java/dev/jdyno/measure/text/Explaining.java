package dev.jdyno.measure.text;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// Work that explains what was measured: reading recordings, judging, drawing. It may fail in any
/// way, by a fault of ours, a broken recording or for want of memory, and must never cost the
/// measurement. This class is the one place where such a failure is caught.
public final class Explaining {
    /// Of a failure's own text; it may quote what the target wrote.
    private static final int LONGEST_REASON = 300;

    private static final long MIB = 1 << 20;

    private Explaining() {}

    /// Such work.
    @FunctionalInterface
    public interface Work<T> {
        T get() throws IOException, InterruptedException;
    }

    /// Such work that gives nothing back.
    @FunctionalInterface
    public interface Step {
        void run() throws IOException, InterruptedException;
    }

    /// Does the work, which may fail.
    ///
    /// @param doing completes "failed while"
    /// @param failed hears of it
    public static void attempt(String doing, Step step, Consumer<UserError> failed)
            throws InterruptedException {
        Optional<Void> _ =
                orElse(
                        Optional.empty(),
                        doing,
                        () -> {
                            step.run();
                            return Optional.empty();
                        },
                        failed);
    }

    /// What the work gives, or `otherwise` when it fails.
    ///
    /// @param doing completes "failed while"
    /// @param failed hears of it
    public static <T> T orElse(T otherwise, String doing, Work<T> work, Consumer<UserError> failed)
            throws InterruptedException {
        try {
            return work.get();
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Throwable broken) {
            failed.accept(failure(doing, broken));
            return otherwise;
        }
    }

    /// What a user hears of it. A {@link UserError} says so itself.
    ///
    /// @param doing completes "failed while"
    public static UserError failure(String doing, Throwable broken) {
        if (broken instanceof UserError said) {
            return said;
        }
        if (broken instanceof OutOfMemoryError) {
            return new UserError(
                            UserError.Kind.INVALID,
                            "jdyno ran out of memory while " + doing,
                            "its own heap of "
                                    + Runtime.getRuntime().maxMemory() / MIB
                                    + " MiB was full",
                            "what was measured is kept; give jdyno more, as in"
                                    + " JDYNO_OPTS=-Xmx2g")
                    .causedBy(broken);
        }
        return new UserError(
                        UserError.Kind.INVALID,
                        "jdyno itself failed while " + doing,
                        reason(broken),
                        "what was measured is kept; run it again with --debug and report the stack"
                                + " trace")
                .causedBy(broken);
    }

    private static String reason(Throwable broken) {
        String text =
                broken.getClass().getName()
                        + Optional.ofNullable(broken.getMessage()).map(m -> ": " + m).orElse("");
        return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
    }
}
