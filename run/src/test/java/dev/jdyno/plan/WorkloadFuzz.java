package dev.jdyno.plan;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.UserError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// Reads a `--workload` file.
public final class WorkloadFuzz {
    private WorkloadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            // the files that it names do not exist
            var _ = WorkloadFile.parse("w.yaml", Path.of("/proc/none"), ForeignText.decode(input));
        } catch (UserError | Malformed refused) {
            // a message with the place of the mistake
        }
    }

    public static List<byte[]> seeds() {
        return List.of(
                        """
                        journeys:
                          - name: buy
                            weight: 3
                            steps:
                              - path: /login
                                method: POST
                                headers: {Content-Type: application/json}
                                body: '{"user": "${name}"}'
                                check: {status: 200, contains: token}
                                take: {token: json /token, id: 'regex id=(\\d+)', to: header Location}
                              - path: /orders?token=${token}
                                check: {json: /state=open, bytes: 10, header: a=b}
                              - path: /jobs
                                poll: {path: '/jobs/${job}', until: {json: /state=done}, every: 100ms, within: 30s}
                        """,
                        """
                        journeys: [{name: a, steps: [{path: /}]}]
                        data: {file: users.csv, order: unique}
                        """,
                        "replay: {file: access.log, speed: 2}\n")
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
