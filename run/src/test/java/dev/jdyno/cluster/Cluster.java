package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Agents on loopback addresses of this process, for tests.
public final class Cluster {
    public static final String TOKEN_TEXT = "0123456789abcdef0123456789abcdef";
    public static final Token TOKEN = Token.of(TOKEN_TEXT);
    private static final Identity IDENTITY = Identity.of(TOKEN);

    private Cluster() {}

    static Listener listener() {
        return listener(Duration.ofSeconds(20));
    }

    static Listener listener(Duration patience) {
        return Listener.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), IDENTITY, patience);
    }

    public static Agent agent(Supplier<List<Duty>> duties) {
        return agent(listener(), duties);
    }

    public static Agent agent(Listener listener, Supplier<List<Duty>> duties) {
        return agent(listener, duties, new Silent());
    }

    static Agent agent(Listener listener, Supplier<List<Duty>> duties, Agent.Witness witness) {
        return Agent.start(listener, Cluster::facts, duties, witness, NanoClock.SYSTEM);
    }

    static Group founder(Listener listener, Group.Events events) {
        return founder(listener, events, NanoClock.SYSTEM);
    }

    static Group founder(Listener listener, Group.Events events, NanoClock clock) {
        return Group.found(
                listener, InetAddress.getLoopbackAddress(), new Handlers(), events, clock);
    }

    static Founder founderAt(Listener listener) {
        return new Founder(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
                IDENTITY.only().orElseThrow());
    }

    static InetSocketAddress at(Agent agent) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), agent.port());
    }

    static Facts facts(String busy) {
        return new Facts(
                "test",
                Set.of(Facts.Role.LOAD),
                2,
                "Linux",
                28_000,
                1024,
                List.of(),
                List.of(),
                1e6,
                100,
                busy);
    }

    static class Silent implements Agent.Witness {
        @Override
        public void joined(String run) {}

        @Override
        public void left(String run, Agent.Left why) {}

        @Override
        public void failed(String run, Throwable why) {}
    }
}
