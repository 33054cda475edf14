package dev.jdyno.cluster.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/// The load that an agent may send, set on its command line. The process that runs a load cannot
/// change it.
///
/// @param targets the only allowed ones, as `host:port` with names as in URLs, or `host:*` for all
///   ports of a host
/// @param mostRate maximum rate of an open load, in requests per second
/// @param mostUsers maximum number of connections
public record Allowance(List<String> targets, double mostRate, int mostUsers) {
    private static final String FIX = "start the agent with --allow HOST:PORT for what it may load";

    public Allowance {
        targets = targets.stream().map(t -> t.toLowerCase(Locale.ROOT)).toList();
    }

    /// @throws UserError if this URL is not allowed
    void check(URI url) {
        String host = HttpUrl.host(url).orElse("").toLowerCase(Locale.ROOT);
        int port = HttpUrl.port(url);
        String target = host + ":" + port;
        if (!targets.contains(target) && !targets.contains(host + ":*")) {
            throw UserError.usage(
                    "it may not load " + target,
                    targets.isEmpty()
                            ? "it was started without --allow"
                            : "its allow-list has " + String.join(", ", targets),
                    FIX);
        }
    }

    /// @throws UserError if the level is above a limit
    void check(Level level) {
        if (level.connections() > mostUsers) {
            throw UserError.usage(
                    "it may not open " + level.connections() + " connections",
                    "its limit is " + mostUsers,
                    "use more agents, or start it with a higher --max-users");
        }
        if (level instanceof Level.Open open && open.ratePerS() > mostRate) {
            throw UserError.usage(
                    String.format(Locale.ROOT, "it may not send %.0f requests/s", open.ratePerS()),
                    String.format(Locale.ROOT, "its limit is %.0f", mostRate),
                    "use more agents, or start it with a higher --max-rate");
        }
    }
}
