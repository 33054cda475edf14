package dev.jdyno.lab.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static ProcessOf memory;

    @BeforeAll
    static void start() throws IOException {
        memory = ProcessOf.startedWith(List.of("-Xmx64m", "-XX:+UseParallelGC"), Memory.class);
    }

    @AfterAll
    static void stop() {
        memory.close();
    }

    @Test
    void allocatesAndRetainsMemory() {
        ProcessOf.Answer answer = memory.get("/memory?bytes=2m&holdMs=50");

        assertThat(answer.body()).isEqualTo("bytes=2097152 sum=512\n");
        assertThat(answer.millis()).isGreaterThanOrEqualTo(50);
    }

    @Test
    void memoryCanBeAllocatedInChunks() {
        assertThat(memory.get("/memory?bytes=1000k&chunk=64k").body())
                .isEqualTo("bytes=1024000 sum=250\n");
    }

    @Tag("full") // fills heaps until they do not fit
    @Test
    void onlyReleasedMemoryFitsIntoTheHeap() throws InterruptedException {
        // 30 requests of 3 MB within six seconds would hold 90 MB at once, but the heap has 64 MB,
        // which is enough for those that arrive together after a stop of the service
        String request = "/memory?bytes=3m&holdMs=6000";
        Duration every = Duration.ofMillis(120);

        assertThat(memory.answeredOfAll(30, every, request + "&release=true")).isEqualTo(30);
        assertThat(memory.answeredOfAll(30, every, request)).isLessThan(30);
    }

    @Test
    void keptObjectsOutliveTheirRequest() throws IOException {
        // 20 requests of 5 MB, one after the other, would keep 100 MB, but the heap has 64 MB
        String request = "/memory?bytes=5m&chunk=64k&release=true&keep=5m&keepMs=";

        try (ProcessOf own =
                ProcessOf.startedWith(List.of("-Xmx64m", "-XX:+UseParallelGC"), Memory.class)) {
            assertThat(own.answeredInTurn(20, request + 1)).isEqualTo(20);
            assertThat(own.answeredInTurn(20, request + 600_000)).isLessThan(20);
        }
    }

    /// Each step needs the previous one, so four times the steps take about four times the CPU
    /// time.
    @Test
    void cpuWorkIsDoneWhileTheMemoryIsHeld() {
        memory.get("/memory?bytes=1k&holdMs=0&steps=100000000");
        double before = memory.cpuMillis();
        memory.get("/memory?bytes=1k&holdMs=0&steps=100000000");
        double few = memory.cpuMillis() - before;
        memory.get("/memory?bytes=1k&holdMs=0&steps=400000000");
        double many = memory.cpuMillis() - before - few;

        assertThat(many).isGreaterThan(2 * few);
    }

    @Tag("full") // fills heaps until they do not fit
    @Test
    void liveSetReducesFreeHeap() throws IOException {
        String request = "/memory?bytes=30m&chunk=64k&holdMs=0";

        try (ProcessOf own =
                ProcessOf.startedWith(
                        List.of("-Xmx64m", "-XX:+UseSerialGC"), Memory.class, "--live-mb", "24")) {
            assertThat(own.answeredInTurn(2, request)).isZero();
        }
        assertThat(memory.answeredInTurn(2, request)).isEqualTo(2);
    }
}
