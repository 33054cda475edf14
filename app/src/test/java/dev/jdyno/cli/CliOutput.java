package dev.jdyno.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/// Output and exit code of one command line that was run in this JVM.
public record CliOutput(int code, String out, String err) {
    public static CliOutput jdyno(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new CliOutput(code, out.toString(), err.toString());
    }
}
