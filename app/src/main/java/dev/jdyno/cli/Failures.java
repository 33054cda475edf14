package dev.jdyno.cli;

import dev.jdyno.measure.text.UserError;
import java.io.PrintWriter;

/// Prints a failure as three lines: what, why, how to fix it.
final class Failures {
    private Failures() {}

    static void print(UserError e, PrintWriter err) {
        err.println("error: " + e.what());
        err.println("  why:" + (e.why().startsWith("\n") ? "" : " ") + e.why());
        err.println("  fix: " + e.fix());
        err.flush();
    }
}
