package dev.jdyno.report;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Reads a stored `result.json`. A valid one is written again.
public final class ResultFuzz {
    private ResultFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        RunResult result;
        try {
            result = ResultJson.read(Path.of("result.json"), input);
        } catch (UserError refused) {
            return;
        }
        var _ =
                ResultJson.read(
                        Path.of("result.json"),
                        ResultJson.toString(result).getBytes(StandardCharsets.UTF_8));
    }

    public static List<byte[]> seeds() throws IOException {
        return List.of(
                Files.readAllBytes(Path.of("../report/src/test/resources/report/result.json")));
    }
}
