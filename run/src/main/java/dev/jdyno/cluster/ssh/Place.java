package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.AgentAddress;
import java.util.regex.Pattern;

/// An agent on a separate host.
///
/// @param login for ssh
/// @param agent address at which the run reaches it
/// @param listen the address at which it listens; one of its host, or all of them
/// @param id names its folder there, and is on the command line of each of its processes
record Place(Login login, AgentAddress agent, AgentAddress listen, String id) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:-]{1,253}");

    Place {
        if (!ID.matcher(id).matches()
                || !HOST.matcher(agent.host()).matches()
                || !HOST.matcher(listen.host()).matches()
                || agent.host().startsWith("-")
                || listen.host().startsWith("-")) {
            throw new IllegalArgumentException("no agent on a host of ssh");
        }
    }
}
