package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides whether a recording can be trusted. It checks the client, the noise of the host and
/// errors before it checks the service.
public final class ValidityRules {
    /// Minimum steal in the plateau round, in percent, that is reported. Figures change by about
    /// the same share.
    static final double STEAL_NOTE_PCT = 5;

    /// Steal, in percent, above which the figures describe the hypervisor and not the service.
    static final double STEAL_SPOILS_PCT = 20;

    /// Share of the machine used by processes other than target and client, from which it is
    /// reported.
    static final double OTHERS_NOTE = 0.15;

    /// Minimum ratio of the throughputs of a diagnostic window and its round, at which the service
    /// behaved differently in the two. The larger throughput is divided by the smaller one. It was
    /// derived from 168 windows of services by other authors, with rounds of two seconds. In 12
    /// windows the difference was larger (window ÷ round was 0.3 to 0.66, 1.5 to 2.4, and 5.5).
    static final double UNSTEADY = 1.5;

    private ValidityRules() {}

    public static Validity of(Recording recording) {
        return of(recording, Optional.empty());
    }

    /// @param reported the round of the report's load, which a warning on other processes uses; if
    ///   empty, it uses the lowest saturated round
    public static Validity of(Recording recording, Optional<Round> reported) {
        List<Warning> warnings = new ArrayList<>(recording.warnings());
        Standstills.warning(recording.target().standstills()).ifPresent(warnings::add);
        if (recording.rounds().isEmpty()) {
            warnings.add(new Warning("no-rounds", "no round was finished", true));
            return Validity.of(warnings);
        }
        if (recording.rounds().stream().allMatch(r -> r.qps() == 0)) {
            warnings.add(
                    new Warning(
                            "no-replies",
                            "no request got a good reply in any round: the service hangs, is"
                                    + " stopped, or refuses requests",
                            true));
            return Validity.of(warnings);
        }
        Round plateau = Evidence.of(recording, Optional.empty()).plateau();
        if (plateau.client().saturated()) {
            warnings.add(
                    new Warning(
                            "client",
                            (plateau.client().heldUp()
                                            ? "the machine delayed the load generator: "
                                            : "the load generator was the limit: ")
                                    + plateau.client().why().orElse("event loop"),
                            true));
        }
        DisturbedNotes.of(recording).ifPresent(warnings::add);
        warnings.addAll(LittlesLaw.warnings(recording.rounds()));
        // this warning is the first note, because all figures depend on what counts as a good reply
        OtherReplies.of(recording).ifPresent(warnings::addFirst);
        silentLater(recording).or(() -> unsteady(recording)).ifPresent(warnings::add);
        plateau.cpu()
                .ifPresent(cpu -> {
                    if (cpu.stealPct() >= STEAL_NOTE_PCT) {
                        warnings.add(
                                new Warning(
                                        DecidingWarning.STEAL.id(),
                                        say(
                                                "the hypervisor took %.0f %% of the machine's CPU",
                                                cpu.stealPct()),
                                        cpu.stealPct() >= STEAL_SPOILS_PCT));
                    }
                });
        neighbours(reported.orElse(plateau), recording.machine().cores()).ifPresent(warnings::add);
        return Validity.of(warnings);
    }

    /// Returns the recording without the warning on other processes before the load, if they used
    /// little of the machine in all rounds of the result. Its figures and predictions are then not
    /// affected by other processes.
    public static Recording withoutEndedNeighbours(Recording recording) {
        List<CpuUse> seen = recording.rounds().stream().flatMap(r -> r.cpu().stream()).toList();
        boolean passed =
                !seen.isEmpty()
                        && seen.stream()
                                .noneMatch(
                                        c -> isNoted(c.otherCores(), recording.machine().cores()));
        return passed ? recording.withoutWarning(Validity.OTHER_PROCESSES) : recording;
    }

    private static boolean isNoted(double otherCores, double machineCores) {
        return otherCores / Math.max(1e-9, machineCores) >= OTHERS_NOTE;
    }

    private static Optional<Warning> neighbours(Round round, double machineCores) {
        return round.cpu()
                .map(CpuUse::otherCores)
                .filter(cores -> isNoted(cores, machineCores))
                .map(cores ->
                        new Warning(
                                DecidingWarning.NEIGHBOURS.id(),
                                say(
                                        "other processes used %.2f cores with %d in flight",
                                        cores, round.concurrency()),
                                false));
    }

    /// Returns a warning on a service that answered nothing in a diagnostic window after its
    /// rounds, because it was overfull or hung. The places where its requests spend their time are
    /// then unknown.
    private static Optional<Warning> silentLater(Recording recording) {
        return recording.rounds().stream()
                .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0)
                .filter(r ->
                        recording.census().stream()
                                .anyMatch(c -> c.concurrency() == r.concurrency() && c.qps() == 0))
                .max(Comparator.comparingInt(Round::concurrency))
                .map(r ->
                        new Warning(
                                DecidingWarning.SILENT_LATER.id(),
                                say(
                                        "with %d in flight, the service served %.0f/s in the"
                                                + " round and nothing in the later diagnostic"
                                                + " window. It ended, hangs or is full; its own"
                                                + " log may show why. The response-time"
                                                + " breakdown was not measured",
                                        r.concurrency(), r.qps()),
                                false));
    }

    /// Returns a warning on diagnostic windows that do not match their rounds. The windows are
    /// measured after all rounds, at the loads of two of them.
    private static Optional<Warning> unsteady(Recording recording) {
        return recording.rounds().stream()
                .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0)
                .flatMap(r ->
                        recording.census().stream()
                                .filter(c -> c.concurrency() == r.concurrency() && c.qps() > 0)
                                .map(c -> new Apart(r, c.qps() / r.qps())))
                .max(Comparator.comparingDouble(Apart::by))
                .filter(a -> a.by() >= UNSTEADY)
                .map(a ->
                        new Warning(
                                DecidingWarning.UNSTEADY.id(),
                                say(
                                        "with %d in flight, %.0f/s in the round, but %.0f/s in"
                                                + " the later diagnostic window: %s",
                                        a.round().concurrency(),
                                        a.round().qps(),
                                        a.ratio() * a.round().qps(),
                                        a.ratio() > 1
                                                ? "the service was still warming up, or a"
                                                        + " disturbance had ended; a longer"
                                                        + " --warmup and --round give stable"
                                                        + " figures"
                                                : "the service slows down with time, or other"
                                                        + " processes took its cores; restart it"
                                                        + " and run again"),
                                false));
    }

    /// @param ratio throughput in the diagnostic window ÷ throughput in the round
    private record Apart(Round round, double ratio) {
        double by() {
            return Math.max(ratio, 1 / ratio);
        }
    }
}
