package dev.jdyno.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveViewTest {
    private final StringWriter err = new StringWriter();
    private final LiveView view = new LiveView(new PrintWriter(err), new OutputOptions());

    @Test
    void plainLinesNameOnlyPhasesWithoutFigures() {
        view.phase("warming up");
        view.measuring("a round");

        assertThat(err.toString().lines()).containsExactly("warming up");
        view.progress(6, Optional.empty(), Optional.empty());
        assertThat(err.toString().lines()).hasSize(2).last().asString().startsWith("a round: 6 s");
    }

    /// A comparison is one phase with many parts. Each part counts its seconds from zero.
    @Test
    void eachPartOfAPhaseHasItsProgress() {
        for (int part = 0; part < 3; part++) {
            for (int second = 1; second <= 6; second++) {
                view.progress(second, Optional.empty(), Optional.empty());
            }
        }

        assertThat(err.toString().lines()).hasSize(3);
    }
}
