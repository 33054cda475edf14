package dev.jdyno.junit;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The result of `jdyno guard` for a service today.
public final class GuardResult {
    private final Json json;
    private final Path folder;

    /// One guarded figure.
    ///
    /// @param name key of the figure, such as `cpuMsPerRequest`
    /// @param value value of today
    /// @param reference value of the level before, or of the pinned build
    /// @param ratio value ÷ reference
    /// @param verdict `ok`, `better`, `worse` or `unclear`
    public record Figure(
            String name,
            String unit,
            Optional<Double> value,
            Optional<Double> reference,
            Optional<Double> ratio,
            Optional<Interval> ci95,
            String verdict) {}

    /// A method that uses more CPU time per request than before.
    public record Grown(String method, double beforeMs, double afterMs) {}

    /// A method that allocates more bytes per request than before.
    public record Allocates(String method, double beforeBytes, double afterBytes) {}

    GuardResult(Json json, Path folder) {
        this.json = json;
        this.folder = folder;
    }

    /// The folder of the result, with `guard.json`, `guard.md` and `junit.xml`.
    public Path folder() {
        return folder;
    }

    /// The whole result, as in `guard.json`.
    public String json() {
        return json.object().toString();
    }

    /// The verdict's name: `ok`, `regression`, or `unclear`.
    public String verdict() {
        return json.text("verdict").orElse("unclear");
    }

    /// The verdict in a sentence.
    public String says() {
        return json.text("says").orElse(verdict());
    }

    /// Each guarded figure, the least noisy ones first.
    public List<Figure> figures() {
        return json.each(
                "figures",
                f ->
                        new Figure(
                                f.text("name").orElse(""),
                                f.text("unit").orElse(""),
                                f.number("value"),
                                f.number("reference"),
                                f.number("ratio"),
                                f.interval("ci95"),
                                f.text("verdict").orElse("unclear")));
    }

    /// Methods that use more CPU time, the largest growth first.
    public List<Grown> grown() {
        return json.each(
                "grew",
                g ->
                        new Grown(
                                g.text("method").orElse(""),
                                g.number("beforeMs").orElse(0.0),
                                g.number("afterMs").orElse(0.0)));
    }

    /// Methods that allocate more, if allocation grew, the largest growth first.
    public List<Allocates> allocates() {
        return json.each(
                "allocates",
                a ->
                        new Allocates(
                                a.text("method").orElse(""),
                                a.number("beforeBytes").orElse(0.0),
                                a.number("afterBytes").orElse(0.0)));
    }

    /// Name of today's bottleneck.
    public String bottleneck() {
        return json.text("bottleneck").orElse("unknown");
    }

    /// Location of more details.
    String where() {
        return "result: " + folder.resolve("guard.md");
    }

    /// Assertions on this result.
    public GuardAssert assertThat() {
        return new GuardAssert(this);
    }
}
