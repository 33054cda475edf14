package dev.jdyno.cli.heap;

import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.sizing.SizingWishes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of sizing advice that do not come from the run: the container and its other
/// processes.
public final class SizingOptions {
    @Option(
            names = "--container",
            paramLabel = "SIZE",
            description =
                    "Memory the JVM may take altogether; sizes that need more are not advised.")
    private @Nullable String container;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of the service, a stack of 1 MiB each (F13). Default: 200")
    private int threads = Footprint.Outside.THREADS;

    @Option(
            names = "--direct-memory",
            paramLabel = "SIZE",
            description = "Direct buffers in addition to the heap. Default: 32m")
    private String direct = "32m";

    @Option(
            names = "--heaps",
            paramLabel = "SIZE,…",
            split = ",",
            description =
                    "Forecast these heap sizes. Default: half to four times the observed size")
    private List<String> heaps = new ArrayList<>();

    /// @throws UserError of kind usage
    public SizingWishes parse() {
        if (threads < 1) {
            throw UserError.usage("--threads " + threads, "a JVM has threads", "give at least 1");
        }
        return new SizingWishes(
                Optional.ofNullable(container).map(c -> size("--container", c)),
                threads,
                size("--direct-memory", direct),
                heaps.stream().map(h -> size("--heaps", h)).toList());
    }

    private static Bytes size(String option, String text) {
        try {
            Bytes size = Bytes.parse(text);
            if (size.value() <= 0 && !option.equals("--direct-memory")) {
                throw new IllegalArgumentException("it is nothing");
            }
            return size;
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                            option + " " + text,
                            String.valueOf(e.getMessage()),
                            "write a size such as 512m or 4g")
                    .causedBy(e);
        }
    }
}
