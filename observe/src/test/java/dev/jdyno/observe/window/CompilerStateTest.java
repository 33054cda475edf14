package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompilerStateTest {
    private static final String CACHE = " compilation: enabled\n full_count=2";
    private static final String QUEUE =
            "Current compiles: \n\nC1 compile queue:\n1  3  a.B::c (6 bytes)\n\nC2 compile queue:\nEmpty\n";

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void failedCommandKeepsResultOfOther(boolean cache, boolean queue) throws InterruptedException {
        Signals seen =
                CompilerState.ask(command -> {
                    boolean ofCache = command.equals("Compiler.codecache");
                    if (ofCache ? !cache : !queue) {
                        throw UserError.target("refused", "unknown", "none");
                    }
                    return ofCache ? CACHE : QUEUE;
                });

        assertThat(List.of(Sign.COMPILER_OFF, Sign.CODE_CACHE_FULL))
                .allMatch(s -> seen.of(s).isPresent() == cache);
        assertThat(seen.of(Sign.COMPILE_QUEUE).isPresent()).isEqualTo(queue);
    }
}
