package dev.jdyno.gclog.read;

import dev.jdyno.gclog.event.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects the head of a log into a {@link Setup}.
public final class SetupDraft {
    private static final int MAX_WARNINGS = 8;

    /// Maximum number of flags. HotSpot has some 1,500, and a log shows them at each start of a
    /// JVM.
    private static final int MAX_FLAGS = 4096;

    /// Maximum number of characters of a flag.
    private static final int LONGEST_FLAG = 4096;

    private static final Pattern SIZE = Pattern.compile("\\d{1,9}[kKmMgG]|\\d{1,18}");

    public boolean unified;
    public boolean permanentGeneration;
    public boolean serialOld;
    public @Nullable String jdk;
    public OptionalInt cpus = OptionalInt.empty();
    public OptionalLong physicalBytes = OptionalLong.empty();
    public OptionalLong swapTotalBytes = OptionalLong.empty();
    public OptionalLong swapFreeBytes = OptionalLong.empty();
    public OptionalLong regionBytes = OptionalLong.empty();
    public OptionalLong minHeapBytes = OptionalLong.empty();
    public OptionalLong initialHeapBytes = OptionalLong.empty();
    public OptionalLong maxHeapBytes = OptionalLong.empty();
    public OptionalInt parallelWorkers = OptionalInt.empty();
    public OptionalInt concurrentWorkers = OptionalInt.empty();
    public final Map<String, String> flags = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    public void warning(String text) {
        if (warnings.size() < MAX_WARNINGS && !warnings.contains(text)) {
            warnings.add(text);
        }
    }

    /// Reads flags as a JDK 8 head and `-Xlog:arguments` print them: `-XX:+UseG1GC
    /// -XX:MaxHeapSize=1073741824 …`.
    public void commandLine(String text) {
        for (String flag : text.trim().split("\\s+")) {
            if (flags.size() >= MAX_FLAGS || flag.length() > LONGEST_FLAG) {
                continue;
            }
            if (flag.startsWith("-Xmn")) {
                flags.put("NewSize", flag.substring(4));
            }
            if (!flag.startsWith("-XX:")) {
                continue;
            }
            String rest = flag.substring(4);
            int equals = rest.indexOf('=');
            if (equals > 0) {
                flags.put(rest.substring(0, equals), rest.substring(equals + 1));
            } else if (rest.startsWith("+") || rest.startsWith("-")) {
                flags.put(rest.substring(1), rest.startsWith("+") ? "true" : "false");
            }
        }
        maxHeapBytes = bytes("MaxHeapSize", maxHeapBytes);
        initialHeapBytes = bytes("InitialHeapSize", initialHeapBytes);
        regionBytes = bytes("G1HeapRegionSize", regionBytes);
    }

    private OptionalLong bytes(String flag, OptionalLong otherwise) {
        String text = flags.getOrDefault(flag, "");
        if (!SIZE.matcher(text).matches()) {
            return otherwise;
        }
        long unit =
                switch (text.charAt(text.length() - 1) | 0x20) {
                    case 'k' -> 1L << 10;
                    case 'm' -> 1L << 20;
                    case 'g' -> 1L << 30;
                    default -> 1;
                };
        String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
        return OptionalLong.of(Long.parseLong(digits) * unit);
    }

    public Setup finish() {
        return new Setup(
                unified,
                permanentGeneration,
                serialOld,
                Optional.ofNullable(jdk),
                cpus,
                physicalBytes,
                swapTotalBytes,
                swapFreeBytes,
                regionBytes,
                minHeapBytes,
                initialHeapBytes,
                maxHeapBytes,
                parallelWorkers,
                concurrentWorkers,
                flags,
                warnings);
    }
}
