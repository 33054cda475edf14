package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import java.time.Duration;
import picocli.CommandLine.Option;

/// The options of `threads` and `diagnose` for the duration and the interval of observing a JVM.
public final class ObservationOptions {
    private static final int MAX_DUMPS = 1000;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "How long to watch (default: ${DEFAULT-VALUE}).")
    private String duration;

    @Option(
            names = "--dumps",
            paramLabel = "N",
            description = "Thread dumps in that time (default: ${DEFAULT-VALUE}).")
    private int dumps;

    private final Duration preset;
    private final Duration min;

    /// @param min minimum time for an observation
    public ObservationOptions(Duration preset, Duration min, int dumps) {
        this.preset = preset;
        this.min = min;
        this.dumps = dumps;
        duration = OptionTexts.typed(preset);
    }

    public int dumps() {
        return dumps;
    }

    /// The time of the observation. Also checks the number of dumps.
    public Duration duration(Problems problems) {
        OptionTexts.within("--dumps", dumps, 1, MAX_DUMPS, "20", problems);
        return OptionTexts.time("--duration", duration, preset, min, problems);
    }
}
