package dev.jdyno.cluster;

import java.util.List;
import java.util.Set;

/// What a process says of itself and of its host.
///
/// @param version of jdyno
/// @param roles what it may be asked to do
/// @param cores that it may use
/// @param ports local ports a connection may start from
/// @param files that the process may hold open
/// @param allowed targets it may load, as `host:port`
/// @param observed JVMs it may observe, as `port=8080`; empty: any that its user may
/// @param mostRate requests per second it sends at most
/// @param mostUsers connections it opens at most
/// @param busy the run it works for; empty when it is free
public record Facts(
        String version,
        Set<Role> roles,
        int cores,
        String system,
        int ports,
        long files,
        List<String> allowed,
        List<String> observed,
        double mostRate,
        int mostUsers,
        String busy) {
    private static final int MOST_TEXT = 500;
    private static final int MOST_ALLOWED = 1000;

    /// What a process can be asked to do.
    public enum Role {
        LOAD,
        OBSERVE
    }

    public Facts {
        roles = Set.copyOf(roles);
        allowed = List.copyOf(allowed);
        observed = List.copyOf(observed);
        if (version.length() > MOST_TEXT
                || system.length() > MOST_TEXT
                || busy.length() > MOST_TEXT
                || isTooLong(allowed)
                || isTooLong(observed)) {
            throw new IllegalArgumentException("facts that are too long");
        }
    }

    private static boolean isTooLong(List<String> texts) {
        return texts.size() > MOST_ALLOWED || texts.stream().anyMatch(t -> t.length() > MOST_TEXT);
    }
}
