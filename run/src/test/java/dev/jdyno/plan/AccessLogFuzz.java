package dev.jdyno.plan;

import dev.jdyno.fuzz.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// Reads an access log, plain or compressed.
public final class AccessLogFuzz {
    private static final Scratch SCRATCH = new Scratch();

    private AccessLogFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        boolean packed = input.length > 0 && input[0] == 0x1f;
        try {
            var _ =
                    AccessLog.workload(
                            SCRATCH.file(packed ? "access.log.gz" : "access.log", input),
                            Optional.of(2.0));
        } catch (IOException | IllegalArgumentException refused) {
            // the documented exception
        }
    }

    public static List<byte[]> seeds() throws IOException {
        byte[] log =
                """
                127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 404 2326
                ::1 - ann smith [10/Oct/2025:13:55:37 +0000] "GET /a?b=\\x22c HTTP/2.0" 404 5 "-" "x [y]"
                10.0.0.1 - - [2025-10-10T13:55:38+00:00] "POST /b HTTP/1.1" 200 5 rt=0.004
                10.0.0.1 - - [1760104539.000] "GET http://shop.test/a\\"b HTTP/1.1" 404 5
                10.0.0.1 - - [10/Oct/2025:13:55:40.125 +0200] "GET /a HTTP/1.1" 404 5 12
                """
                        .getBytes(StandardCharsets.UTF_8);
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(log);
        }
        return List.of(log, packed.toByteArray());
    }
}
