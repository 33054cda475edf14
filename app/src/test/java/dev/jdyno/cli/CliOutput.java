package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// Output and exit code of one command line that was run in this JVM.
public record CliOutput(int code, String out, String err) {
    public static CliOutput jdyno(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        var said = new CliOutput(code, out.toString(), err.toString());
        if (List.of(args).contains("--json") && !said.out.isEmpty()) {
            assertThat(said.out).endsWith("\n").doesNotEndWith("\n\n");
        }
        return said;
    }
}
