package dev.jdyno.junit;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The result of `jdyno run`.
public final class RunResult {
    private final Json json;
    private final Path folder;

    RunResult(Json json, Path folder) {
        this.json = json;
        this.folder = folder;
    }

    /// The folder of the result, with `report.html` and `result.json`.
    public Path folder() {
        return folder;
    }

    /// The report, one HTML file.
    public Path report() {
        return folder.resolve("report.html");
    }

    /// The whole result, as in `result.json`.
    public String json() {
        return json.object().toString();
    }

    /// The loads in the order in which they were measured.
    public List<Round> rounds() {
        return json.each("rounds", Round::of);
    }

    /// The load with the most throughput.
    ///
    /// @throws DynoException when there is none
    public Round mostThroughput() {
        return rounds().stream()
                .max(Comparator.comparingDouble(Round::qps))
                .orElseThrow(() -> new DynoException("no load was measured; " + where()));
    }

    /// The name of the bottleneck: the first word of a row of docs/bottlenecks.md, such as `cpu`.
    public String bottleneck() {
        return json.part("verdict").flatMap(v -> v.text("bottleneck")).orElse("unknown");
    }

    /// The verdict in a sentence.
    public String says() {
        return json.part("verdict").flatMap(v -> v.text("says")).orElse("");
    }

    /// Warnings about the measurement, each in a sentence.
    public List<String> warnings() {
        return json.part("validity")
                .map(v -> v.each("warnings", w -> w.text("says").orElse("")))
                .orElse(List.of());
    }

    /// The result of a search for goals; empty without one.
    Optional<Json> goal() {
        return json.part("goal");
    }

    /// Location of more details.
    String where() {
        return "report: " + report();
    }

    /// Assertions on the figures of this result.
    public RunAssert assertThat() {
        return new RunAssert(this);
    }
}
