package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Ephemeral ports run out (experiment E24). Connections are opened faster than their ports come
/// back from TIME_WAIT, on the way to the service or from it to a downstream.
public final class PortsRule implements Rule {
    /// Minimum share of the ephemeral ports in use for one destination, at which new connections
    /// fail or wait. The kernel tries random ports and often finds used ones if few are free.
    static final double HELD_LIMIT = 0.80;

    /// Minimum ratio of opened connections per second to the number that the ports allow. Below it
    /// a port is always available, because the kernel reuses the ports of closed connections.
    static final double OPENED_LIMIT = 0.50;

    /// Minimum share of the requests that found no port.
    static final double NO_PORT_LIMIT = 0.01;

    /// Minimum share of requests with an error, at which calls of the service find no port.
    static final double ERRORS_LIMIT = 0.50;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.PORTS;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.LOAD, Bottleneck.DOWNSTREAM, Bottleneck.CPU, Bottleneck.RATE_LIMIT);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        double noPort = evidence.rounds().stream().mapToDouble(PortsRule::noPort).max().orElse(0);
        Optional<Double> held = evidence.sign(Sign.PORTS_SHARE);
        if (held.isEmpty() && noPort == 0) {
            return new Finding.NotApplicable("the target's sockets could not be read");
        }
        double share = held.orElse(0.0);
        Optional<BelowLimit> few =
                BelowLimit.of(share, HELD_LIMIT).filter(_ -> noPort < NO_PORT_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    share * 0.3, few.get(), "of the ports are held by connections to one place");
        }
        Optional<Double> allowed = evidence.sign(Sign.PORTS_PER_S).filter(n -> n > 0);
        Optional<Double> opened = evidence.sign(Sign.ACTIVE_OPENS_PER_S);
        double ofAllowed = allowed.flatMap(n -> opened.map(o -> o / n)).orElse(1.0);
        double errors = evidence.rounds().stream().mapToDouble(Round::errorShare).max().orElse(0);
        // without a free port no connection is opened, and calls fail at once
        boolean refused = errors >= ERRORS_LIMIT;
        if (ofAllowed < OPENED_LIMIT && noPort < NO_PORT_LIMIT && !refused) {
            return new Finding.Cleared(
                    ofAllowed * 0.3,
                    say(
                            "connections to one address hold %.0f %% of the ports, but only"
                                    + " %.0f/s are opened while %.0f/s can be reused",
                            share * 100, opened.orElse(0.0), allowed.orElse(0.0)));
        }
        return runOut(
                evidence, new Ports(held, noPort, allowed, opened, ofAllowed, errors, refused));
    }

    /// The figures on the ports.
    ///
    /// @param held share of the ports that connections to one destination use
    /// @param noPort share of the requests that found no port
    /// @param allowed connections per second that the ports allow
    /// @param opened connections opened per second
    /// @param ofAllowed `opened` ÷ `allowed`
    /// @param errors share of the requests that end in an error
    /// @param refused true if no connection is opened because no port is left
    private record Ports(
            Optional<Double> held,
            double noPort,
            Optional<Double> allowed,
            Optional<Double> opened,
            double ofAllowed,
            double errors,
            boolean refused) {
        double share() {
            return held.orElse(0.0);
        }

        double sure() {
            return noPort >= NO_PORT_LIMIT
                    ? 0.95
                    : Math.min(
                            refused ? Doubt.BY_ERRORS_ALONE.most() : 1,
                            confidence(share(), HELD_LIMIT, 1, 0.75, 0.9));
        }
    }

    private static Finding runOut(Evidence evidence, Ports seen) {
        String where = evidence.place(Sign.PORTS_SHARE).orElse("client");
        String waiting =
                evidence.sign(Sign.TIME_WAIT_SOCKETS)
                        .filter(n -> n > 0)
                        .map(n -> say(", and %.0f sockets are in TIME_WAIT", n))
                        .orElse("");
        return new Finding.Limits(
                where,
                seen.sure(),
                "The ephemeral ports run out: "
                        + seen.held()
                                .map(h ->
                                        say(
                                                "connections to %s hold %.0f %% of them",
                                                where, h * 100))
                                .orElseGet(() ->
                                        say(
                                                "%.1f %% of the requests found no free one",
                                                seen.noPort() * 100))
                        + waiting
                        + ". Keep connections alive, or pool them.",
                lines(evidence, seen, where));
    }

    private static List<EvidenceLine> lines(Evidence evidence, Ports seen, String where) {
        List<EvidenceLine> lines = new ArrayList<>();
        seen.held()
                .ifPresent(h ->
                        lines.add(
                                line(
                                        Figure.PORTS_HELD,
                                        say(
                                                "%.0f %% of the ephemeral ports held to %s",
                                                h * 100, where),
                                        h,
                                        HELD_LIMIT)));
        if (seen.noPort() > 0) {
            lines.add(
                    line(
                            Figure.NO_PORT,
                            say("%.1f %% of the requests found no free port", seen.noPort() * 100),
                            seen.noPort(),
                            NO_PORT_LIMIT));
        }
        if (seen.refused()) {
            lines.add(
                    line(
                            Figure.ERRORS,
                            say("%.0f %% of the requests end in an error", seen.errors() * 100),
                            seen.errors(),
                            ERRORS_LIMIT));
        }
        seen.allowed()
                .ifPresent(n ->
                        lines.add(
                                line(
                                        Figure.PORTS_OPENED,
                                        say(
                                                "%.0f connections/s opened, the ports allow %.0f/s",
                                                seen.opened().orElse(0.0), n),
                                        seen.ofAllowed(),
                                        OPENED_LIMIT)));
        evidence.sign(Sign.TIME_WAIT_SOCKETS)
                .ifPresent(n ->
                        lines.add(
                                line(Figure.TIME_WAIT, say("%.0f sockets in TIME_WAIT", n), n, 0)));
        return lines;
    }

    private static double noPort(Round round) {
        long all = round.requests() + round.errors();
        long none = round.errorKinds().getOrDefault(ErrorKind.CONNECT_NO_PORT.key(), 0L);
        return all == 0 ? 0 : none / (double) all;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return new RecommendationList()
                .byHand(
                        KnownChange.KEEP_ALIVE,
                        "Keep connections to "
                                + s.verdict().where()
                                + " open and use them again (E24)",
                        "one HTTP client for all requests; nginx: keepalive in upstream,"
                                + " proxy_http_version 1.1; TIME_WAIT must fall",
                        s.withCapacity(Double.POSITIVE_INFINITY))
                .setting(
                        KnownChange.PORTS_MORE,
                        "Allow more ephemeral ports, and the reuse of ports in TIME_WAIT",
                        "sysctl in the network namespace of the process that opens the connections",
                        Gain.unknown("how soon ports become free depends on both ends"),
                        List.of(
                                new Change.SystemSetting(
                                        "net.ipv4.ip_local_port_range",
                                        new Amount.Exactly("1024 65535")),
                                new Change.SystemSetting(
                                        "net.ipv4.tcp_tw_reuse", new Amount.Exactly("1"))));
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the limit is outside of the target: run it from elsewhere");
    }
}
