package dev.jdyno.observe.logging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Foreign logging configurations. The first byte selects the configuration language.
public final class LoggingFuzz {
    private static final List<String> NAMES =
            List.of("logback.xml", "log4j2.properties", "log4j2.yaml", "log4j2.json");

    private LoggingFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] content = Arrays.copyOfRange(input, 1, input.length);
        try {
            var _ = LoggingConfig.read(NAMES.get((input[0] & 0xff) % NAMES.size()), content);
        } catch (IOException refused) {
            if (String.valueOf(refused.getMessage()).contains("secret")) {
                throw new IllegalStateException("it quotes the file", refused);
            }
        }
        try {
            var _ = LoggingTree.flatYaml(content);
        } catch (IOException refused) {
            // the documented exception
        }
    }

    public static List<byte[]> seeds() {
        return List.of(
                        "\0" + LoggingFilesTest.COSTLY_LOGBACK,
                        "\0" + LoggingFilesTest.COSTLY_LOG4J2,
                        "\0<a>&secret;<![CDATA[secret]]></a>",
                        """
                        \1appender.file.type = File
                        appender.file.layout.pattern=%d %C{1.} secret
                        rootLogger = info
                        rootLogger.level = \\u0041
                        """,
                        """
                        \2Configuration:
                          Appenders: &a
                            File: {name: F, PatternLayout: {pattern: "%d %L secret"}}
                            Async: [{bufferSize: 10}, *a]
                          Other: *a
                        logging: {pattern: {console: "%M"}}
                        """,
                        "\3{\"configuration\": {\"appenders\": {\"RollingFile\": {\"immediateFlush\": true}}}}")
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
