package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Options of `run` that name a file or a process of this host, beside a service of another host.
/// The files of the load and of the report (`--cacert`, `--proto`, `--body @FILE`, `--since`) are
/// of this host, wherever the service is.
class ObservedOptionsTest {
    @TempDir private Path folder;

    private CliOutput observed(String options) {
        return CliOutput.jdyno(
                ("run http://127.0.0.1:1/ --observe 127.0.0.1:1 --token-file token " + options)
                        .strip()
                        .split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "--frames frames.yaml, --frames",
        "--pid 1, --pid",
        "--launch true, --launch",
        "--no-target, --no-target",
        "--k8s shop-1, --k8s",
        "--prove --relay 127.0.0.1:2, --relay"
    })
    void optionsThatAnAgentCannotUseAreRefused(String options, String named) {
        CliOutput said = observed(options);

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named);
    }

    @Test
    void aPlanWithAFileOfFramesIsRefused() throws IOException {
        Path plan =
                Files.writeString(
                        folder.resolve("plan.yaml"),
                        """
                        url: http://127.0.0.1:1/
                        target: {observe: "127.0.0.1:1", tokenFile: token}
                        look: {frames: frames.yaml}
                        """);

        CliOutput said = CliOutput.jdyno("run", plan.toString());

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("frames");
    }

    @ParameterizedTest
    @CsvSource({
        "--insecure",
        "--cacert ca.pem",
        "--method POST",
    })
    void connectionOptionsAreRefusedWithLoadTool(String options) {
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "--no-target",
                        "--drive",
                        "wrk -c{n} -d{seconds}s http://127.0.0.1:1/",
                        options.split(" ")[0],
                        options.contains(" ") ? options.split(" ")[1] : "--quiet");

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(options.split(" ")[0]);
    }
}
