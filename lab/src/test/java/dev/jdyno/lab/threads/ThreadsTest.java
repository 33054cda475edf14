package dev.jdyno.lab.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ProcessOf;
import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    @Test
    void printsThreadCountAndRunsUntilEndOfInput() throws IOException, InterruptedException {
        Process process = ProcessOf.plain(Threads.class, "--most", "50").start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine())
                    .startsWith("{\"threads\":50,\"threadsBefore\":")
                    .endsWith("\"failure\":\"\"}");
            assertThat(process.isAlive()).isTrue();

            process.outputWriter().close();

            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
