package dev.jdyno.trial;

import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Token;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.text.Problems;
import java.nio.file.Path;

/// Reads the file with the secret by which a run authenticates itself to agents.
public final class AgentSecrets {
    private AgentSecrets() {}

    /// @param file a token, or a private key; the keys of agents are in a file in the key's folder
    /// @throws dev.jdyno.measure.text.UserError if it is neither, or if other users can read it
    public static Credentials read(Path file) {
        if (OwnKey.isIn(file)) {
            return Credentials.of(
                    OwnKey.read(file), KnownAgents.read(Credentials.agentKeysOf(file)));
        }
        var problems = new Problems();
        var token = Token.read("the token file", file, problems);
        problems.throwIfAny("what agents know this run by");
        return Credentials.of(token.orElseThrow());
    }
}
