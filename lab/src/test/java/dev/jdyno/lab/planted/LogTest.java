package dev.jdyno.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    @Test
    void everyLineReachesTheStream() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        new Log().toStream(out, Log.PLAIN).info("order {}", 17);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("shop.Orders - order 17\n");
    }

    @Test
    void callerDataNamesTheLine(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("orders.log");

        new Log().toFile(file, Log.CALLER).info("order");

        assertThat(Files.readString(file)).contains("LogTest.callerDataNamesTheLine:");
    }
}
