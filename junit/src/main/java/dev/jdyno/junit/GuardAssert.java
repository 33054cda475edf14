package dev.jdyno.junit;

import java.util.Locale;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/// Assertions on the result of `jdyno guard`.
public final class GuardAssert {
    private final GuardResult result;

    GuardAssert(GuardResult result) {
        this.result = result;
    }

    /// Fails when the service became worse. The message contains each figure that became worse,
    /// with its interval, and the methods that grew.
    public GuardAssert hasNoRegression() {
        if (!result.verdict().equals("regression")) {
            return this;
        }
        String figures =
                result.figures().stream()
                        .filter(f -> f.verdict().equals("worse"))
                        .map(GuardAssert::line)
                        .collect(Collectors.joining());
        String grown =
                result.grown().stream()
                        .map(g ->
                                String.format(
                                        Locale.ROOT,
                                        "%n  %s: %.3g -> %.3g ms of CPU per request",
                                        g.method(),
                                        g.beforeMs(),
                                        g.afterMs()))
                        .collect(Collectors.joining());
        String allocates =
                result.allocates().stream()
                        .map(a ->
                                String.format(
                                        Locale.ROOT,
                                        "%n  %s: %.4g -> %.4g bytes allocated per request",
                                        a.method(),
                                        a.beforeBytes(),
                                        a.afterBytes()))
                        .collect(Collectors.joining());
        throw new AssertionFailedError(
                result.says() + figures + grown + allocates + "\n  " + result.where(),
                "ok",
                "regression");
    }

    /// Assertions on the name of today's bottleneck.
    public NameAssert<GuardAssert> bottleneck() {
        return new NameAssert<>(this, result.bottleneck(), result.says() + "\n  " + result.where());
    }

    private static String line(GuardResult.Figure f) {
        return String.format(
                Locale.ROOT,
                "%n  %s: measured %.4g %s, before %.4g, ratio %.3f%s",
                f.name(),
                f.value().orElseThrow(),
                f.unit(),
                f.reference().orElseThrow(),
                f.ratio().orElseThrow(),
                f.ci95()
                        .map(i ->
                                String.format(
                                        Locale.ROOT, " (95 %%: %.3f to %.3f)", i.lo(), i.hi()))
                        .orElse(""));
    }
}
