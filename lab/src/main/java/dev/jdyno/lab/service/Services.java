package dev.jdyno.lab.service;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/// Runs a service as a process.
///
/// Its only standard output is the line `listening on PORT`, printed once a client can connect;
/// errors go to standard error. Exit codes: 1 could not start, 2 wrong usage.
public final class Services {
    private static final int CANNOT_START = 1;

    private Services() {}

    /// Runs a command until it ends, then ends the process.
    public static void main(Callable<Integer> command, String... args) {
        System.exit(
                new CommandLine(command)
                        .setExecutionExceptionHandler((e, line, parsed) -> report(e, System.err))
                        .execute(args));
    }

    /// Prints the port and starts to watch the parent.
    public static void listening(ListenOptions options, int port) {
        if (options.parent() != 0) {
            ParentWatch.start(options.parent());
        }
        System.out.println("listening on " + port);
        System.out.flush();
    }

    private static int report(Exception e, PrintStream err) throws Exception {
        if (e instanceof CannotStart) {
            err.println(e.getMessage());
            return CANNOT_START;
        }
        throw e;
    }
}
