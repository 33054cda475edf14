package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The help of every verb is reviewed like code.
class GoldenHelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo",
                "run",
                "load",
                "agent",
                "agents",
                "agents up",
                "gc",
                "heap",
                "whatif",
                "report",
                "threads",
                "diagnose",
                "watch",
                "tune",
                "compare",
                "warm",
                "size",
                "guard",
                "history",
                "serve",
                "mcp",
                "lab",
                "ps",
                "completion",
                "doctor"
            })
    void helpMatchesGolden(String verb) throws IOException {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] args = (verb + " --help").strip().split(" ");
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), args)).isZero();
        GoldenFile.assertMatches(
                Path.of(
                        "src/test/resources/help",
                        (verb.isEmpty() ? "jdyno" : verb.replace(' ', '-')) + ".txt"),
                out.toString());
    }
}
