package dev.jdyno.cluster;

import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The way in which agents and a run authenticate each other: by a shared token, or by keys. With
/// keys, the run and each agent have their own.
public final class Credentials {
    private static final String PINS = ".known";

    private final Identity identity;

    /// The run's own key and the keys of its agents; empty if all share a token.
    private final Optional<KnownAgents> known;

    private final Strangers strangers;

    private Credentials(Identity identity, Optional<KnownAgents> known) {
        this.identity = identity;
        this.known = known;
        this.strangers =
                known.<Strangers>map(Strangers.OwnKeys::new).orElseGet(Strangers.OneToken::new);
    }

    public static Credentials of(Token token) {
        return new Credentials(Identity.of(token), Optional.empty());
    }

    /// @param run the run's own key
    /// @param known the agents it trusts
    public static Credentials of(OwnKey run, KnownAgents known) {
        return new Credentials(Identity.of(run, Set.of()), Optional.of(known));
    }

    /// The file with the keys of the agents that belong to a run's key: `FILE.known`, in the same
    /// folder.
    public static Path agentKeysOf(Path keyFile) {
        return keyFile.resolveSibling(keyFile.getFileName() + PINS);
    }

    /// The file with the run's key that belongs to these agents' keys.
    static Path runKeyOf(Path known) {
        String name = String.valueOf(known.getFileName());
        return name.endsWith(PINS)
                ? known.resolveSibling(name.substring(0, name.length() - PINS.length()))
                : known;
    }

    /// The identity that the run shows to one agent, with the keys that it accepts from that agent.
    Identity towards(AgentAddress agent) {
        return known.map(k -> identity.trusting(keys(k, List.of(agent)))).orElse(identity);
    }

    /// Opens the only port of a run, to which only these agents can connect.
    ///
    /// @throws UserError if the port cannot be opened
    public Listener listen(InetSocketAddress at, List<AgentAddress> agents) {
        return Listener.open(
                at, known.map(k -> identity.trusting(keys(k, agents))).orElse(identity));
    }

    private static Set<PeerKey> keys(KnownAgents known, List<AgentAddress> agents) {
        return agents.stream()
                .flatMap(a -> known.of(a.toString()).stream())
                .collect(Collectors.toSet());
    }

    /// The error if an agent shows a key that is not accepted.
    public UserError stranger(AgentAddress agent, PeerKey shown) {
        return strangers.shows(agent.toString(), shown);
    }

    /// The key that an agent shows, whether it is known or not.
    ///
    /// @throws UserError if the agent cannot be reached
    public PeerKey shownBy(AgentAddress agent) {
        return Door.key(agent.toString(), agent.socket(), identity.trusting(Set.of()));
    }

    /// Sends a question to one agent.
    ///
    /// @throws UserError as {@link Door#ask} does
    Door.Visit visit(AgentAddress agent, Door.Question question, NanoClock clock) {
        return Door.ask(
                agent.toString(), agent.socket(), towards(agent), strangers, question, clock);
    }
}
