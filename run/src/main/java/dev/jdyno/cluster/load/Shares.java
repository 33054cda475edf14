package dev.jdyno.cluster.load;

import dev.jdyno.load.pacing.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Splits a level among agents.
///
/// A closed load is split by users. An open one is split by independent thinning: each agent sends
/// a Poisson process of its own, at an equal share of the rate. Independent Poisson processes add
/// up to a Poisson process with the sum of their rates (Kingman, Poisson Processes, 1993, 2.2). So
/// the service gets the same arrivals with any number of agents.
final class Shares {
    private Shares() {}

    static List<Level> of(Level level, int agents) {
        int connections = level.connections();
        int active = Math.min(agents, connections);
        List<Level> shares = new ArrayList<>();
        for (int i = 0; i < agents; i++) {
            int own = connections / agents + (i < connections % agents ? 1 : 0);
            shares.add(
                    own == 0
                            ? new Level.Idle()
                            : switch (level) {
                                case Level.Closed(int _, Duration think) ->
                                        new Level.Closed(own, think);
                                case Level.Open open ->
                                        new Level.Open(
                                                own, open.ratePerS() / active, open.arrivals());
                                case Level.Replay _ ->
                                        throw new IllegalArgumentException(
                                                "a replay is not split among hosts");
                                case Level.Idle idle -> idle;
                            });
        }
        return shares;
    }
}
