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

/// How a service is tuned.
///
/// @param improved throughput, or the median response time at a fixed rate
/// @param goal what must hold at a fixed rate: a limit of a percentile of response time
/// @param budget all of it may take
/// @param block length of one block of a comparison
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param minEffect smallest gain that matters
/// @param keepHeap whether the heap stays as large as it is: no larger one is tried
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

    /// Until the first good answer, and from there until it is steady: where neither has been seen.
    static final double SERVICE_START_SECONDS = 3;

    static final double SERVICE_WARM_UP_SECONDS = 6;

    private static final double SETTLE_SECONDS = 1;

    public static final TuneSettings DEFAULT =
            new TuneSettings(
                    Metric.QPS,
                    Optional.empty(),
                    Duration.ofMinutes(60),
                    Duration.ofSeconds(3),
                    Settings.DEFAULT.warmup(),
                    0.03,
                    false);

    /// Keeps them beside the journal: a tuning that goes on measures as before.
    ///
    /// @throws IOException when the file cannot be written
    public void write(Path folder) throws IOException {
        PrivateFiles.write(folder.resolve(NAME), JSON.writeValueAsString(this) + "\n");
    }

    /// Those that an interrupted tuning began with.
    ///
    /// @throws UserError when they cannot be read
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

    /// The same with another budget.
    public TuneSettings within(Duration wanted) {
        return new TuneSettings(improved, goal, wanted, block, warmup, minEffect, keepHeap);
    }

    /// The same with another longest warm-up.
    public TuneSettings warmingUp(Duration atMost) {
        return new TuneSettings(improved, goal, budget, block, atMost, minEffect, keepHeap);
    }

    /// The same with the heap as large as it is, or not.
    public TuneSettings keepingHeap(boolean keep) {
        return new TuneSettings(improved, goal, budget, block, warmup, minEffect, keep);
    }

    /// Whether blocks at a fixed rate are measured: they cost as much as those at saturation.
    boolean needsRate() {
        return improved != Metric.QPS || goal.isPresent();
    }

    /// What a first look at a candidate takes, roughly, of a service that has not been seen.
    public double lookSeconds() {
        return startSeconds(Race.LOOK_PAIRS);
    }

    /// What one start of both and its blocks take, roughly, of a service that has not been seen.
    public double startSeconds(int pairs) {
        return startSeconds(pairs, SERVICE_START_SECONDS, SERVICE_WARM_UP_SECONDS);
    }

    /// @param toStart seconds until the first good answer
    /// @param toBeSteady seconds from there until it is steady, as far as they are waited for
    double startSeconds(int pairs, double toStart, double toBeSteady) {
        double blocks = 2.0 * pairs * (needsRate() ? 2 : 1);
        return 2 * (toStart + Math.min(Durations.seconds(warmup), toBeSteady))
                + blocks * (Durations.seconds(block) + SETTLE_SECONDS);
    }
}
