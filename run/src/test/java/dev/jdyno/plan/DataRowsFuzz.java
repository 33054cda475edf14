package dev.jdyno.plan;

import dev.jdyno.fuzz.Scratch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads the rows of a workload: JSON Lines if they begin with a brace, otherwise CSV.
public final class DataRowsFuzz {
    private static final Scratch SCRATCH = new Scratch();

    private DataRowsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        boolean json = input.length > 0 && input[0] == '{';
        try {
            var _ = DataRows.read(SCRATCH.file(json ? "rows.jsonl" : "rows.csv", input));
        } catch (IOException | IllegalArgumentException refused) {
            // the documented exception
        }
    }

    public static List<byte[]> seeds() {
        return List.of(
                        "name,id\nann,1\n\"b, \"\"c\"\"\",2\r\n\n",
                        "{\"name\": \"ann\", \"id\": 1}\n{\"name\": null, \"x\": true}\n")
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
