package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;
import static dev.jdyno.diagnose.evidence.Lines.time;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides whether the load is the limit if no load of about twice or half that load was measured.
/// The load is the limit if nothing is saturated and no request waits for its turn. Loads that are
/// closer together must not contradict this. The load is named only if no rule finds another limit,
/// because the load was not doubled.
final class OneLoad {
    /// Confidence with one request in flight, or a rate that the service kept. The service was idle
    /// for part of the time, so more load gives more throughput.
    private static final double SURE = 0.75;

    /// Confidence with several requests in flight. For them it was not tested which resource more
    /// requests would wait for.
    private static final double LESS_SURE = 0.6;

    /// Minimum share of failed requests at which the service did not spend its time on answers.
    private static final double ERRORS_DOMINATE = 0.5;

    /// Minimum share of the intended rate that counts as kept.
    private static final double SERVED = 0.95;

    /// Maximum ratio of two loads that count as one load. The throughput of two rounds at one load
    /// may differ by a tenth, which hides the effect of such a small step.
    private static final double ONE_LOAD = 1.1;

    private OneLoad() {}

    static Finding judge(Evidence evidence) {
        Round round = evidence.plateau();
        if (round.qps() <= 0 || round.errorShare() > ERRORS_DOMINATE) {
            return new Finding.NotApplicable("almost no request was answered");
        }
        Optional<BelowLimit> behind = behind(evidence);
        if (behind.isPresent()) {
            return Finding.Cleared.only(0.1, behind.get(), "of the intended rate was served");
        }
        Optional<Rise> rise = Rise.of(evidence);
        if (rise.isPresent() && rise.get().perDoubling() < Limits.STILL_RISING) {
            return new Finding.Cleared(0.2, "more load does not help: " + rise.get().says());
        }
        boolean single = isSingleRequest(round);
        boolean served = round.ratePerS().isPresent();
        if (!single && !served && (evidence.saturated().isEmpty() || round.cpu().isEmpty())) {
            return new Finding.NotApplicable("one load only, and the service was not observed");
        }
        double cpu = round.cpu().map(CpuUse::utilisation).orElse(0.0);
        if (cpu >= Saturation.CPU_SATURATED && evidence.cpuIsShort()) {
            return new Finding.Cleared(
                    0.2, say("CPU at %.0f %% of the cores available to it", cpu * 100));
        }
        // with one or two requests in flight, a waiting request may just be on its way
        if (round.concurrency() > SeenShare.SEVERAL && evidence.queues()) {
            return new Finding.Cleared(0.2, "requests wait for their turn");
        }
        return new Finding.Near(
                new Finding.Limits(
                        round.ratePerS()
                                .map(r -> say("rate %.0f/s", r))
                                .orElseGet(() -> say("concurrency %d", round.concurrency())),
                        single || served ? SURE : LESS_SURE,
                        says(round, single),
                        lines(evidence, cpu, rise)));
    }

    /// Returns completed ÷ intended requests at the first rate that the service could not keep,
    /// among this rate and higher ones.
    private static Optional<BelowLimit> behind(Evidence evidence) {
        double min = evidence.plateau().ratePerS().orElse(0.0);
        return evidence.rounds().stream()
                .flatMap(r ->
                        r
                                .ratePerS()
                                .filter(rate -> rate >= min)
                                .flatMap(rate -> BelowLimit.of(r.qps() / rate, SERVED))
                                .stream())
                .findFirst();
    }

    /// The change of throughput between loads that are close together.
    private record Rise(Round low, Round high) {
        /// Compares this load with the highest one, or with the lowest if this is the highest.
        /// Empty if all loads count as one.
        static Optional<Rise> of(Evidence evidence) {
            List<Round> rounds = evidence.rounds();
            Round at = evidence.plateau();
            return Optional.of(new Rise(at, rounds.getLast()))
                    .filter(Rise::isOfTwoLoads)
                    .or(() -> Optional.of(new Rise(rounds.getFirst(), at)))
                    .filter(Rise::isOfTwoLoads);
        }

        private boolean isOfTwoLoads() {
            return low.qps() > 0 && load() > ONE_LOAD;
        }

        private double load() {
            return high.concurrency() / (double) low.concurrency();
        }

        private double throughput() {
            return high.qps() / low.qps();
        }

        /// Throughput at twice the lower load, divided by that at the lower load. It is read from a
        /// straight line through the two rounds.
        double perDoubling() {
            return 1 + (throughput() - 1) / (load() - 1);
        }

        String says() {
            return say(
                    "throughput was × %.2f from %d to %d in flight",
                    throughput(), low.concurrency(), high.concurrency());
        }
    }

    /// True if the plan asked for one request at a time.
    private static boolean isSingleRequest(Round round) {
        return round.ratePerS().isEmpty() && round.concurrency() == 1;
    }

    private static Statement says(Round round, boolean single) {
        if (round.ratePerS().isPresent()) {
            return Statement.of(
                    "The load is the limit",
                    "nothing in the service is saturated at the requested rate of %.0f/s; send"
                            + " more. A request takes %s%s.",
                    round.ratePerS().orElseThrow(),
                    time(round.rtMs().mean()),
                    largestPart(round));
        }
        String claim = "The load is the limit";
        return single
                ? Statement.of(
                        claim,
                        "nothing is saturated at 1 in flight; send more. One request at a time"
                                + " takes %s%s%s.",
                        time(cycleMs(round)),
                        clientPart(round),
                        largestPart(round))
                : Statement.of(
                        claim,
                        "nothing is saturated at %d in flight; send more. A request takes %s%s.",
                        round.concurrency(),
                        time(round.rtMs().mean()),
                        largestPart(round));
    }

    /// Returns the time between two requests of a user: the response time plus the pause of the
    /// client.
    private static double cycleMs(Round round) {
        return round.concurrency() / round.qps() * 1000;
    }

    private static String clientPart(Round round) {
        return clientMs(round)
                .map(ms -> say(", of it %s in the load generator", time(ms)))
                .orElse("");
    }

    private static Optional<Double> clientMs(Round round) {
        return round.cpu().map(c -> c.clientCores() / round.qps() * 1000);
    }

    /// Returns the longest wait of a request, if it is a large part of its time.
    private static String largestPart(Round round) {
        return longest(round)
                .map(spot -> say(", %s of it in %s", time(spot.ms()), spot.cause().key()))
                .orElse("");
    }

    private static Optional<Breakdown.Spot> longest(Round round) {
        return round.anatomy().stream()
                .flatMap(a -> a.topN().stream())
                .filter(s -> s.cause() != Cause.CPU && s.cause() != Cause.RUN_QUEUE)
                .filter(s -> s.ms() >= Limits.GOOD_PART * round.rtMs().mean())
                .max(Comparator.comparingDouble(Breakdown.Spot::ms));
    }

    private static List<EvidenceLine> lines(Evidence evidence, double cpu, Optional<Rise> rise) {
        Round round = evidence.plateau();
        List<EvidenceLine> lines = new ArrayList<>();
        rise.ifPresent(r ->
                lines.add(line(Figure.SCALING, r.says(), r.perDoubling(), Limits.STILL_RISING)));
        round.cpu().ifPresent(_ -> lines.add(cpuLine(evidence, cpu)));
        if (isSingleRequest(round)) {
            lines.add(
                    line(
                            Figure.LONE_REQUEST,
                            say("a request that is alone takes %s", time(cycleMs(round))),
                            cycleMs(round),
                            0));
            clientMs(round)
                    .ifPresent(ms ->
                            lines.add(
                                    part(
                                            Figure.LONE_REQUEST_PART,
                                            "client",
                                            ms,
                                            "CPU of the load generator")));
            round.cpuMsPerRequest()
                    .ifPresent(ms ->
                            lines.add(
                                    part(
                                            Figure.LONE_REQUEST_PART,
                                            "cpu",
                                            ms,
                                            "CPU of the service")));
        }
        longest(round)
                .ifPresent(spot ->
                        lines.add(
                                part(
                                        isSingleRequest(round)
                                                ? Figure.LONE_REQUEST_PART
                                                : Figure.REQUEST_PART,
                                        spot.cause().key(),
                                        spot.ms(),
                                        spot.cause().key() + " " + spot.where())));
        return lines;
    }

    /// Returns a line on the CPU that is left. If other processes left none, the line is on the few
    /// threads of the service that needed CPU.
    private static EvidenceLine cpuLine(Evidence evidence, double cpu) {
        return new CpuShortage(evidence)
                .enough()
                .filter(enough -> cpu >= Saturation.CPU_SATURATED && !enough.ofBusy())
                .map(enough ->
                        line(
                                Figure.CORES_WANTED,
                                enough.says() + ", though others left it no more CPU",
                                enough.below().value(),
                                enough.below().limit()))
                .orElseGet(() ->
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", cpu * 100),
                                cpu,
                                Saturation.CPU_SATURATED));
    }

    private static EvidenceLine part(Figure figure, String of, double ms, String what) {
        return line(figure, of, say("%s of its time: %s", time(ms), what), ms, 0);
    }
}
