package dev.jdyno.target;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/// POSIX signals. Java can only send SIGTERM and SIGKILL, and only to single processes; the shell's
/// `kill` can send any signal to a group.
final class ProcessSignals {
    private ProcessSignals() {}

    /// @param pid a process, or the negative id of a process group
    /// @return true if there was a process to signal
    static boolean send(String signal, long pid) throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "kill -s \"$0\" -- \"$1\"",
                                    signal,
                                    Long.toString(pid))
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noShell) {
            throw new IllegalStateException("no POSIX shell to send SIG" + signal, noShell);
        }
    }
}
