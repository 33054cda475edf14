package dev.jdyno.cluster.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What an agent may load, as the one who started it has said; whoever runs a load cannot change
/// it.
///
/// @param targets as `host:port`, names as they stand in URLs; empty: what listens on this host's
///   loopback device, and nothing else
/// @param mostRate requests per second of an open load
/// @param mostUsers connections
public record Allowance(List<String> targets, double mostRate, int mostUsers) {
    private static final String FIX = "start the agent with --allow HOST:PORT for what it may load";

    public Allowance {
        targets = targets.stream().map(t -> t.toLowerCase(Locale.ROOT)).toList();
    }

    /// @return the address to connect to, where the name alone does not say
    /// @throws UserError when this URL is not allowed
    Optional<InetAddress> check(URI url) {
        String host = HttpUrl.host(url).orElse("").toLowerCase(Locale.ROOT);
        int port = HttpUrl.port(url);
        if (!targets.isEmpty()) {
            if (targets.contains(host + ":" + port)) {
                return Optional.empty();
            }
            throw refused(host + ":" + port, "its allow-list has " + String.join(", ", targets));
        }
        try {
            InetAddress[] all = InetAddress.getAllByName(host);
            if (Arrays.stream(all).allMatch(InetAddress::isLoopbackAddress)) {
                return Optional.of(all[0]); // so that it is not resolved to another one later
            }
        } catch (UnknownHostException unknown) {
            throw UserError.usage("it does not know " + host, "no address", "check the URL's host")
                    .causedBy(unknown);
        }
        throw refused(host + ":" + port, "it may load its own loopback device only");
    }

    private static UserError refused(String target, String why) {
        return UserError.usage("it may not load " + target, why, FIX);
    }

    /// @throws UserError when the level is above a limit
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
