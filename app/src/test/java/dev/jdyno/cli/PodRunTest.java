package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command line of `run --k8s`, without a cluster.
class PodRunTest {
    @TempDir private Path folder;

    /// Each command line is refused before `kubectl` is started.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://shop:8080/ --k8s shop-1",
                "http://localhost:8080/ --k8s --all",
                "http://localhost:8080/ --k8s Shop_1",
                "http://localhost:8080/ --k8s shop-1 --namespace a/b",
                "http://localhost:8080/ --k8s shop-1 --container=-x",
                "http://localhost:8080/ --k8s shop-1 --image=;",
                "http://localhost:8080/ --k8s shop-1 --pid 1",
                "http://localhost:8080/ --k8s shop-1 --no-target",
                "http://localhost:8080/ --k8s shop-1 --agents lg1",
                "http://localhost:8080/ --k8s shop-1 --key-file run.key",
                "http://localhost:8080/ --k8s shop-1 --frames frames.yaml",
                "http://localhost:8080/ --no-target --namespace load",
                "http://localhost:8080/ --no-target --container app",
                "http://localhost:8080/ --no-target --image jdyno:1",
                "http://localhost:8080/ --no-target --dry-run",
                "--k8s shop-1",
            })
    void invalidCommandLineOfAPodRunIsRefused(String words) {
        CliOutput said = CliOutput.jdyno(("run " + words).split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).doesNotContain("kubectl has no context");
    }

    @Test
    void aPlanFileNamesItsOwnTarget() throws IOException {
        Path plan =
                Files.writeString(
                        folder.resolve("plan.yaml"),
                        "name: shop\nurl: http://127.0.0.1:1/\ntarget: {pid: 1}\n");

        for (String option : new String[] {"--k8s", "--container"}) {
            assertThat(CliOutput.jdyno("run", plan.toString(), option, "app").code()).isEqualTo(2);
        }
    }
}
