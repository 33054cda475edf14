package dev.jdyno.measure.text;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// Work that explains the measurement: reading recordings, judging, drawing. It may fail in any
/// way: by a bug of jdyno, a broken recording or lack of memory. Such a failure must never lose the
/// measurement. Only this class catches it.
public final class Explaining {
    /// Maximum length of a failure's own message. The message may quote text that the target wrote.
    private static final int LONGEST_REASON = 300;

    private static final long MIB = 1 << 20;

    private Explaining() {}

    /// Work that may fail and has a result.
    @FunctionalInterface
    public interface Work<T> {
        T get() throws IOException, InterruptedException;
    }

    /// Work that may fail and has no result.
    @FunctionalInterface
    public interface Step {
        void run() throws IOException, InterruptedException;
    }

    /// Does work that may fail.
    ///
    /// @param doing the work in words; it completes the sentence "failed while …"
    /// @param failed receives the failure
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

    /// The result of the work, or `otherwise` when it fails.
    ///
    /// @param doing the work in words; it completes the sentence "failed while …"
    /// @param failed receives the failure
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

    /// The failure as a user error. A {@link UserError} is returned as it is.
    ///
    /// @param doing the work in words; it completes the sentence "failed while …"
    public static UserError failure(String doing, Throwable broken) {
        if (broken instanceof UserError userError) {
            return userError;
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
