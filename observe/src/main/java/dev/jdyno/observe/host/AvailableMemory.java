package dev.jdyno.observe.host;

import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory that new processes can take without swapping, by `MemAvailable` of `/proc/meminfo`.
public final class AvailableMemory {
    // MemAvailable:   23674400 kB
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable: +(\\d{1,15}) kB$");

    private AvailableMemory() {}

    /// @param meminfo text of `/proc/meminfo`
    /// @return empty if the text has no such line, as with kernels before 3.14
    public static Optional<Bytes> of(String meminfo) {
        Matcher line = AVAILABLE.matcher(meminfo);
        return line.find()
                ? Optional.of(new Bytes(Long.parseLong(line.group(1)) * 1024))
                : Optional.empty();
    }
}
