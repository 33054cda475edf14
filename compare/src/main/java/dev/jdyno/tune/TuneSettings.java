package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Settings;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Settings of a tuning.
///
/// @param improved throughput, or the median response time at a fixed rate
/// @param goal limit of a percentile of response time that must hold at a fixed rate
/// @param budget time limit of the whole tuning
/// @param block length of one block of a comparison
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param minEffect smallest gain that matters
/// @param keepHeap whether larger heaps are excluded
public record TuneSettings(
        Metric improved,
        Optional<Goal> goal,
        Duration budget,
        Duration block,
        Duration warmup,
        double minEffect,
        boolean keepHeap) {
    private static final String NAME = "settings.json";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// Default durations of start-up (until the first good answer) and warm-up (until steady), used
    /// before either has been measured.
    static final double SERVICE_START_SECONDS = 3;

    static final double SERVICE_WARM_UP_SECONDS = 6;

    private static final double SETTLE_SECONDS = 1;

    /// Rest of a block for which no further run of a load tool is started.
    private static final double REST_SECONDS = 0.5;

    public static final TuneSettings DEFAULT =
            new TuneSettings(
                    Metric.QPS,
                    Optional.empty(),
                    Duration.ofMinutes(60),
                    Duration.ofSeconds(3),
                    Settings.DEFAULT.warmup(),
                    0.03,
                    false);

    /// Writes the settings into the journal's folder, so that a tuning that continues uses the same
    /// ones.
    ///
    /// @throws IOException if the file cannot be written
    public void write(Path folder) throws IOException {
        PrivateFiles.write(folder.resolve(NAME), JSON.writeValueAsString(this) + "\n");
    }

    /// Reads the settings of an interrupted tuning.
    ///
    /// @throws UserError if they cannot be read
    public static TuneSettings read(Path folder) {
        Path file = folder.resolve(NAME);
        try {
            return JSON.readValue(ForeignText.bytes(file), TuneSettings.class);
        } catch (IOException | JacksonException e) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(e.getMessage()),
                            "give the folder that `jdyno tune` named at its end")
                    .causedBy(e);
        }
    }

    /// Returns the same settings with another budget.
    public TuneSettings within(Duration wanted) {
        return new TuneSettings(improved, goal, wanted, block, warmup, minEffect, keepHeap);
    }

    /// Returns the same settings with another maximum warm-up.
    public TuneSettings warmingUp(Duration atMost) {
        return new TuneSettings(improved, goal, budget, block, atMost, minEffect, keepHeap);
    }

    /// Returns the same settings with or without larger heaps.
    public TuneSettings keepingHeap(boolean keep) {
        return new TuneSettings(improved, goal, budget, block, warmup, minEffect, keep);
    }

    /// True if blocks at a fixed rate are measured, too. They take the same time as blocks at
    /// saturation.
    public boolean needsRate() {
        return improved != Metric.QPS || goal.isPresent();
    }

    /// Longest warm-up of a look (one start of each variant).
    Duration lookWarmUp() {
        return warmup.compareTo(Race.LOOK_WARM_UP) < 0 ? warmup : Race.LOOK_WARM_UP;
    }

    /// Estimated duration of a first look at a candidate, before the service has been measured.
    public double lookSeconds() {
        return startSeconds(Race.LOOK_PAIRS);
    }

    /// Estimated duration of one start of both variants with its blocks, before the service has
    /// been measured.
    public double startSeconds(int pairs) {
        return startSeconds(
                2, pairs, SERVICE_START_SECONDS, SERVICE_WARM_UP_SECONDS, Optional.empty());
    }

    /// @param variants number of variants that are started
    /// @param pairs number of blocks of each variant at each load
    /// @param toStart seconds until the first good answer
    /// @param toBeSteady seconds from the first good answer until steady; the warm-up limit caps
    ///   them
    /// @param run seconds that a run of the user's load tool takes; empty if jdyno sends the load
    double startSeconds(
            int variants, int pairs, double toStart, double toBeSteady, Optional<Double> run) {
        double blocks = pairs * (needsRate() ? 2.0 : 1.0) * blockSeconds(run);
        return variants * (toStart + Math.min(Durations.seconds(warmup), toBeSteady) + blocks);
    }

    /// Duration of a block with the time until its load is steady. A block consists of whole runs
    /// of a load tool.
    ///
    /// @param run seconds that a run of the user's load tool takes; empty if jdyno sends the load
    double blockSeconds(Optional<Double> run) {
        double wanted = Durations.seconds(block);
        double lasts =
                run.filter(one -> one > 0)
                        .map(one ->
                                Math.max(wanted, Math.ceil((wanted - REST_SECONDS) / one) * one))
                        .orElse(wanted);
        return lasts + SETTLE_SECONDS;
    }
}
