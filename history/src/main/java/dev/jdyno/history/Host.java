package dev.jdyno.history;

import dev.jdyno.measure.TargetFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The machine on which results are measured.
final class Host {
    private static final String UNKNOWN = "unknown";

    private Host() {}

    static Entry.Environment environment(Optional<TargetFacts> target) {
        return new Entry.Environment(
                name(),
                Runtime.getRuntime().availableProcessors(),
                cpu(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                target.flatMap(TargetFacts::jdkVersion),
                target.map(TargetFacts::flags).orElse(List.of()));
    }

    static String name() {
        return text("/proc/sys/kernel/hostname").map(String::strip).orElse(UNKNOWN);
    }

    /// The processor's model name; processors without one have a part number.
    static String cpu() {
        return text("/proc/cpuinfo").stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith("model name") || l.startsWith("CPU part"))
                .map(l -> l.substring(l.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static Optional<String> text(String file) {
        try {
            // its size is reported as 0, so it must be read to the end
            return Optional.of(
                    new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8));
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
