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

/// How agents know a run, and how the run knows them: by a token that all share, or by keys, of
/// which the run and each agent has its own.
public final class Credentials {
    private static final String PINS = ".known";

    private final Identity identity;

    /// Empty where a token is shared.
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

    /// @param run the run's own
    /// @param known the agents it trusts
    public static Credentials of(OwnKey run, KnownAgents known) {
        return new Credentials(Identity.of(run, Set.of()), Optional.of(known));
    }

    /// The keys of agents that go with a run's key are beside it, in `FILE.known`.
    public static Path knownBeside(Path keyFile) {
        return keyFile.resolveSibling(keyFile.getFileName() + PINS);
    }

    /// The run's key that they go with.
    static Path keyBeside(Path known) {
        String name = String.valueOf(known.getFileName());
        return name.endsWith(PINS)
                ? known.resolveSibling(name.substring(0, name.length() - PINS.length()))
                : known;
    }

    /// What is shown to one agent, and accepted of it.
    Identity towards(AgentAddress agent) {
        return known.map(k -> identity.trusting(keys(k, List.of(agent)))).orElse(identity);
    }

    /// The one port of a run, for these agents.
    ///
    /// @throws UserError when it cannot listen there
    public Listener listen(InetSocketAddress at, List<AgentAddress> agents) {
        return Listener.open(
                at, known.map(k -> identity.trusting(keys(k, agents))).orElse(identity));
    }

    private static Set<PeerKey> keys(KnownAgents known, List<AgentAddress> agents) {
        return agents.stream()
                .flatMap(a -> known.of(a.toString()).stream())
                .collect(Collectors.toSet());
    }

    /// Why an agent is not asked that shows a key which is not accepted.
    public UserError stranger(AgentAddress agent, PeerKey shown) {
        return strangers.shows(agent.toString(), shown);
    }

    /// Which key an agent shows, whether it is known or not.
    ///
    /// @throws UserError when it cannot be reached
    public PeerKey shownBy(AgentAddress agent) {
        return Door.key(agent.toString(), agent.socket(), identity.trusting(Set.of()));
    }

    /// Asks one agent.
    ///
    /// @throws UserError as {@link Door#ask} does
    Door.Visit visit(AgentAddress agent, Door.Question question, NanoClock clock) {
        return Door.ask(
                agent.toString(), agent.socket(), towards(agent), strangers, question, clock);
    }
}
