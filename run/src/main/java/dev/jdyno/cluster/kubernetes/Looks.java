package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Constants and messages for all code that waits for pods.
final class Looks {
    /// Interval at which the state of the pods is queried.
    static final Duration PAUSE = Duration.ofSeconds(1);

    /// Maximum length of the part of a container's log that is read.
    private static final int MAX_LOG_BYTES = 1 << 16;

    private Looks() {}

    /// Waits until the next query.
    ///
    /// @param what name of the awaited state, for the message
    /// @throws UserError if this thread is interrupted
    static void pause(Duration pause, String what) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(what).causedBy(e);
        }
    }

    static UserError interrupted(String what) {
        return UserError.target(what, "interrupted", "run it again");
    }

    /// The beginning of a log.
    ///
    /// @param options options of `kubectl logs`: the container and the part of its log
    static UserProgram.Answer log(Kubectl kubectl, String pod, String... options) {
        List<String> words = new ArrayList<>(List.of("logs", pod));
        words.addAll(List.of(options));
        words.add("--limit-bytes=" + MAX_LOG_BYTES);
        return kubectl.run("", words);
    }

    /// The last line of a log, or why it cannot be read, as the end of a sentence. Blank if there
    /// is none.
    static String lastLine(UserProgram.Answer log) {
        if (log.code() != 0) {
            return "; " + unreadable(log);
        }
        return log.text()
                .lines()
                .filter(l -> !l.isBlank())
                .reduce((_, last) -> last)
                .map(l -> "; the last line of its log: " + Pod.sentence("", l))
                .orElse("");
    }

    static String unreadable(UserProgram.Answer log) {
        return "its log cannot be read: " + log.lastError();
    }

    /// @param nodes name of the nodes that need the image, such as `the node`
    /// @param account whose secret a private registry needs
    static UserError noImage(String pod, String why, String nodes, String account) {
        return UserError.target(
                "pod " + pod + " cannot get its image",
                why,
                "push the image to where "
                        + nodes
                        + " can pull it and give its name with --image; a private registry needs"
                        + " imagePullSecrets in "
                        + account
                        + "'s service account");
    }
}
