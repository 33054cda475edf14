package dev.jdyno.cluster;

import java.util.List;
import java.util.Set;

/// Description of a process and its host, by the process itself.
///
/// @param version of jdyno
/// @param roles kinds of work that it offers
/// @param cores cores that it may use
/// @param ports local ports from which connections may start
/// @param files maximum number of open files of the process
/// @param allowed targets that it may load, as `host:port`
/// @param observed JVMs that it may observe, as `port=8080`, or start and observe, as `launch=a`;
///   empty: any that its user may observe
/// @param mostRate maximum rate that it sends, in requests per second
/// @param mostUsers maximum number of connections that it opens
/// @param busy the run for which it works; empty if it is free
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
    private static final int MAX_TEXT = 500;
    private static final int MAX_ALLOWED = 1000;

    /// A kind of work that a process offers.
    public enum Role {
        LOAD,
        OBSERVE
    }

    public Facts {
        roles = Set.copyOf(roles);
        allowed = List.copyOf(allowed);
        observed = List.copyOf(observed);
        if (version.length() > MAX_TEXT
                || system.length() > MAX_TEXT
                || busy.length() > MAX_TEXT
                || isTooLong(allowed)
                || isTooLong(observed)) {
            throw new IllegalArgumentException("facts that are too long");
        }
    }

    private static boolean isTooLong(List<String> texts) {
        return texts.size() > MAX_ALLOWED || texts.stream().anyMatch(t -> t.length() > MAX_TEXT);
    }
}
