package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/// An invitation to join a group.
///
/// @param group name of the group, which no other group ever has
/// @param name the founder's name for the invited process
/// @param run purpose of the group, for display
/// @param founder address of the founder in the group, so that another joining process is not
///   mistaken for it
/// @param host numeric address at which the founder listens
record Invitation(String group, String name, String run, String founder, String host, int port) {
    private static final int MAX_TEXT = 300;
    private static final int MAX_PORT = 65_535;

    Invitation {
        if (group.isEmpty()
                || group.length() > MAX_TEXT
                || name.isEmpty()
                || name.length() > MAX_TEXT
                || run.length() > MAX_TEXT
                || founder.isEmpty()
                || founder.length() > MAX_TEXT
                || host.isEmpty()
                || host.length() > MAX_TEXT
                || port < 1
                || port > MAX_PORT) {
            throw new IllegalArgumentException("no invitation");
        }
    }

    /// The address at which the founder listens. It must be the address that the invitation came
    /// from, so that an inviter cannot make this process resolve names or connect to other hosts.
    ///
    /// @param inviter address that the invitation came from
    /// @throws UserError if the invitation names another address
    InetSocketAddress founderAt(InetAddress inviter) {
        if (!named().equals(Optional.of(inviter))) {
            throw UserError.usage(
                    "it joins only who invites it",
                    "the invitation came from " + inviter.getHostAddress() + " and names " + host,
                    "let the run reach this host without a translation of its address (NAT)");
        }
        return new InetSocketAddress(inviter, port);
    }

    private Optional<InetAddress> named() {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException aName) {
            return Optional.empty();
        }
    }
}
