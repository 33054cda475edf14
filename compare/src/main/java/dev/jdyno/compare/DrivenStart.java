package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Checks after the first start whether the load tool of the user gives the figures that a
/// comparison needs. If it does not, no further start would have them either.
final class DrivenStart {
    private DrivenStart() {}

    /// @param notes of the comparison so far; without one on a load tool, nothing is checked
    /// @throws UserError if the load tool is the limit in all saturated blocks, or does not give
    ///   the primary figure
    static void require(Metric primary, List<Note> notes, Blocks blocks) {
        Optional<Note.Driven> tool =
                notes.stream()
                        .flatMap(n -> n instanceof Note.Driven d ? Stream.of(d) : Stream.empty())
                        .reduce((_, last) -> last);
        Optional<Start> first = blocks.start();
        if (tool.isPresent() && first.isPresent()) {
            requireSaturated(tool.get(), first.get(), blocks.toolLimit());
            requirePrimary(primary, tool.get(), first.get());
        }
    }

    private static void requireSaturated(
            Note.Driven tool, Start first, Optional<String> toolLimit) {
        boolean saturated = first.pairs().stream().anyMatch(p -> p.load() == Metric.Load.SATURATED);
        if (!saturated && toolLimit.isPresent()) {
            throw new UserError(
                    UserError.Kind.INVALID,
                    "the load tool (" + tool.source() + ") is the limit, not the service",
                    "so it was in all blocks at the saturated load: " + toolLimit.get(),
                    "give the tool more threads or less work for each request, or choose a lower"
                            + " load with --concurrency");
        }
    }

    private static void requirePrimary(Metric primary, Note.Driven tool, Start first) {
        List<Pair> pairs = first.pairs().stream().filter(p -> p.load() == primary.load()).toList();
        if (primary.load() != Metric.Load.FEW_USERS
                || pairs.isEmpty()
                || first.discarded() > 0
                || first.logRatios(primary).length > 0) {
            return;
        }
        List<Round> rounds = pairs.stream().flatMap(p -> Stream.of(p.a(), p.b())).toList();
        if (rounds.stream().anyMatch(r -> r.requests() == 0)) {
            return; // a service whose requests all fail has no response times
        }
        boolean tooFew =
                primary == Metric.DRIVER_P99
                        && rounds.stream().allMatch(r -> Double.isFinite(r.rtMs().p99()))
                        && rounds.stream().anyMatch(r -> r.requests() < Metric.MIN_FOR_P99);
        throw new UserError(
                UserError.Kind.INVALID,
                primary.title() + " was not measured",
                tooFew
                        ? "a block had fewer than "
                                + Metric.MIN_FOR_P99
                                + " requests, so none is beyond the 99th percentile"
                        : "the load tool ("
                                + tool.source()
                                + ") does not give it: "
                                + String.join("; ", tool.missing()),
                tooFew
                        ? "give longer blocks (--block), or --primary driverP50"
                        : "let the tool print it, or choose another figure with --primary");
    }
}
