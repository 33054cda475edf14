package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.nio.charset.StandardCharsets;

/// Answers that are cheap to send and expensive to read: thousands of one-byte chunks, built once.
final class ClientDecode implements Case {
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Override
    public Label label() {
        return Label.of(
                "client-decode",
                "client",
                20,
                "",
                "answers in thousands of chunks, which are costly to read");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int chunks = caseSetup.vary().between("thousandChunks", 10, 30) * 1000;
        String answer = HEAD + "1\r\nx\r\n".repeat(chunks) + "0\r\n\r\n";
        return RawService.start(caseSetup.listen(), answer.getBytes(StandardCharsets.US_ASCII));
    }
}
