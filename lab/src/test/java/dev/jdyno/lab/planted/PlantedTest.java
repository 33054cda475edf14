package dev.jdyno.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.service.ProcessOf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlantedTest {
    @Test
    void unknownNameListsCases() throws Exception {
        Process process = ProcessOf.builder(List.of(), Planted.class, "--case", "lok").start();

        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(error).contains("no case named lok").contains("lock-synchronized");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void listsOneCaseALine() throws Exception {
        Process process = ProcessOf.builder(List.of(), Planted.class, "--list").start();

        List<String> lines = process.inputReader().lines().toList();

        assertThat(lines).hasSameSizeAs(Catalogue.ALL);
        assertThat(lines).allMatch(line -> line.startsWith("{\"case\":\""));
        assertThat(process.waitFor()).isZero();
    }

    @Tag("full") // starts a case with its neighbour
    @Test
    void endsHelperProcessesWithCase() throws Exception {
        ProcessOf service = ProcessOf.started(Planted.class, "--case", "downstream-slots");
        List<ProcessHandle> beside = service.process().children().toList();
        assertThat(beside).hasSize(1);

        service.process().destroyForcibly();

        assertThat(beside.get(0).onExit().get()).isNotNull();
    }
}
