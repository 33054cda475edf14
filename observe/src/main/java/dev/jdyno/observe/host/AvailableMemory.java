package dev.jdyno.observe.host;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Memory that new processes can take without swapping, by `MemAvailable` of `/proc/meminfo`.
public final class AvailableMemory {
    // MemAvailable:   23674400 kB
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable: +(\\d{1,15}) kB$");

    private AvailableMemory() {}

    /// The available memory, at most the memory limit of this process, which processes that it
    /// starts share. Empty if it is unknown.
    public static Optional<Bytes> now() {
        Optional<Bytes> machine =
                ProcFs.text(Path.of("/proc/meminfo")).flatMap(AvailableMemory::of);
        Optional<Bytes> limit = MemoryLimit.of(ProcessHandle.current().pid());
        return machine.map(m -> limit.filter(l -> l.compareTo(m) < 0).orElse(m));
    }

    /// @param meminfo text of `/proc/meminfo`
    /// @return empty if the text has no such line, as with kernels before 3.14
    public static Optional<Bytes> of(String meminfo) {
        Matcher line = AVAILABLE.matcher(meminfo);
        return line.find()
                ? Optional.of(new Bytes(Long.parseLong(line.group(1)) * 1024))
                : Optional.empty();
    }
}
