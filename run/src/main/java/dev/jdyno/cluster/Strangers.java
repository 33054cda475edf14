package dev.jdyno.cluster;

import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.util.Optional;

/// Error messages for agents and runs that do not accept each other.
sealed interface Strangers {
    /// The agent shows a key that the run does not accept.
    UserError shows(String agent, PeerKey shown);

    /// The agent ends the connection, because it does not accept the run's key.
    ///
    /// @param how text of its rejection
    UserError refuses(String agent, String how);

    /// All processes share one token.
    record OneToken() implements Strangers {
        private static final String FIX = "give the same token file on both sides";

        @Override
        public UserError shows(String agent, PeerKey shown) {
            return UserError.usage(
                    "agent " + agent + " is not one of ours",
                    "it holds another token, or was started with --run-key",
                    FIX);
        }

        @Override
        public UserError refuses(String agent, String how) {
            return UserError.usage(
                    "agent " + agent + " does not accept this run",
                    "it may hold another token (" + how + ")",
                    FIX);
        }
    }

    /// Each process has its own key.
    ///
    /// @param known the agents that the run knows
    record OwnKeys(KnownAgents known) implements Strangers {
        @Override
        public UserError shows(String agent, PeerKey shown) {
            Optional<PeerKey> before = known.of(agent);
            if (before.isEmpty()) {
                return UserError.usage(
                        "agent " + agent + " is not known yet",
                        "its key is " + shown.fingerprint(),
                        "compare that with what it printed when it started, and run: "
                                + trust(agent));
            }
            return UserError.usage(
                    "agent " + agent + " has another key than before",
                    "it shows "
                            + shown.fingerprint()
                            + " instead of "
                            + before.get().fingerprint()
                            + ": another process may pass for it",
                    "if its key was made anew, run: " + trust(agent) + " --replace");
        }

        private String trust(String agent) {
            Path key = Credentials.runKeyOf(known.file());
            return "jdyno agents trust " + agent + " --key-file " + key;
        }

        @Override
        public UserError refuses(String agent, String how) {
            return UserError.usage(
                    "agent " + agent + " does not accept this run",
                    "it may have been started with another --run-key (" + how + ")",
                    "start it with what this shows here: jdyno agents key "
                            + Credentials.runKeyOf(known.file()));
        }
    }
}
