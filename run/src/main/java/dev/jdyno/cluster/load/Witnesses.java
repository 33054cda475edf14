package dev.jdyno.cluster.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Finds the agents that limited the load themselves. Each agent is judged by its own windows,
/// because a slow agent is not visible in the sum of many.
final class Witnesses {
    /// Maximum share of limited stretches of an agent's load. Above it, the agent counts as the
    /// limit.
    static final double LIMITED_SHARE = 0.1;

    /// Maximum error of an agent's instants, in ms, above which a warning is given.
    static final double CLOCK_LIMIT_MS = 5;

    /// Length of a stretch that is judged. A single pause of the agent's collector is no limit.
    private static final double MIN_SECONDS = 3;

    /// Minimum number of limited stretches; fewer may be chance.
    private static final int MIN_LIMITED = 2;

    private static final class Seen {
        private Optional<LoadWindow> open = Optional.empty();
        private int judged;
        private int limited;
        private String why = "";
    }

    private final Map<String, Seen> agents = new TreeMap<>();

    void saw(String agent, LoadWindow window) {
        Seen seen = agents.computeIfAbsent(agent, _ -> new Seen());
        LoadWindow sum = seen.open.map(o -> o.plus(window)).orElse(window);
        if (sum.seconds() < MIN_SECONDS) {
            seen.open = Optional.of(sum);
            return;
        }
        seen.open = Optional.empty();
        if (sum.requests() + sum.errors() == 0) {
            return;
        }
        ClientSide client = sum.client();
        seen.judged++;
        if (client.saturated()) {
            seen.limited++;
            seen.why = client.why().orElse("");
        }
    }

    /// Warnings for agents that were the limit too often; they make the result invalid.
    List<Validity.Warning> warnings() {
        List<Validity.Warning> warnings = new ArrayList<>();
        agents.forEach((name, seen) -> {
            if (seen.limited >= MIN_LIMITED && seen.limited > LIMITED_SHARE * seen.judged) {
                warnings.add(
                        new Validity.Warning(
                                DecidingWarning.AGENT_LIMITED.id(),
                                String.format(
                                        Locale.ROOT,
                                        "agent %s was itself the limit in %d of %d stretches"
                                                + " of its load: %s",
                                        name,
                                        seen.limited,
                                        seen.judged,
                                        seen.why),
                                true));
            }
        });
        return warnings;
    }

    static Optional<Validity.Warning> clock(String agent, long errorNanos) {
        double ms = errorNanos / 1e6;
        return ms <= CLOCK_LIMIT_MS
                ? Optional.empty()
                : Optional.of(
                        new Validity.Warning(
                                "agent-clock",
                                String.format(
                                        Locale.ROOT,
                                        "agent %s may begin and end its windows up to %.1f ms early or"
                                                + " late: the round trip to it is long. Latencies are"
                                                + " not affected.",
                                        agent,
                                        ms),
                                false));
    }
}
