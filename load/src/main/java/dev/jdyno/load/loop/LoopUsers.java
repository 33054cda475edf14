package dev.jdyno.load.loop;

import dev.jdyno.load.journey.OneRequest;
import dev.jdyno.load.journey.Redirects;
import dev.jdyno.load.journey.Script;
import dev.jdyno.load.journey.Scripts;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.Protocol;
import dev.jdyno.load.wire.SocketSettings;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Makes the users of one event loop, each with its script, its connection, and its local and
/// remote address.
public final class LoopUsers {
    private final EventLoop loop;
    private final LoadSpec spec;
    private final int number;
    private final List<SocketAddress> addresses;
    private final Optional<? extends Scripts> journeys;
    private final RandomGenerator random;
    private final byte[] request;
    private final List<Http2Group> groups = new ArrayList<>();

    /// @param number number of the loop
    /// @param addresses addresses of the server, used in turn
    LoopUsers(
            EventLoop loop,
            int number,
            List<SocketAddress> addresses,
            Optional<? extends Scripts> journeys,
            RandomGenerator random) {
        this.loop = loop;
        this.spec = loop.spec;
        this.number = number;
        this.addresses = addresses;
        this.journeys = journeys;
        this.random = random;
        // a session with scripts does not send this request, so the request need not be valid
        this.request = journeys.isPresent() ? new byte[0] : spec.encode(spec.parts());
    }

    /// @param index number of the user in its loop
    User user(int index) {
        int global = spec.part().global(index * spec.loops() + number);
        int connection = index / spec.streams();
        // counted per loop, so that every loop gets its share of each kind
        int activeBefore = (int) Math.ceil(connection * spec.activeShare());
        boolean active = (int) Math.ceil((connection + 1) * spec.activeShare()) > activeBefore;
        boolean slow = active && spec.slow().isSlow(activeBefore);
        Script script =
                journeys.isPresent()
                        ? journeys.get().script(global, random)
                        : new OneRequest(
                                request, spec.parts(), slow && spec.slow().areSome() ? 1 : 0);
        int hops = spec.mostRedirects();
        Script followed = hops > 0 ? new Redirects(script, spec, hops) : script;
        return new User(loop, index, !active, followed, user -> carrier(user, slow));
    }

    private Carrier carrier(User user, boolean slow) {
        int connection = user.index() / spec.streams();
        int global = spec.part().global(connection * spec.loops() + number);
        Optional<InetAddress> source =
                spec.sources().isEmpty()
                        ? Optional.empty()
                        : Optional.of(spec.sources().get(global % spec.sources().size()));
        SocketAddress address = addresses.get(global % addresses.size());
        var settings =
                slow
                        ? new SocketSettings(
                                spec.slow().receiveBufferBytes(),
                                spec.slow().readBytesPerSecond(),
                                source)
                        : new SocketSettings(0, 0, source);
        if (spec.protocol() == Protocol.HTTP_1_1) {
            return new Http1Connection(loop, user, address, settings);
        }
        if (connection == groups.size()) {
            groups.add(new Http2Group(loop, address, settings));
        }
        return groups.get(connection).stream(user);
    }

    /// The names of the steps by number, for separate statistics; empty if there is only one kind
    /// of request.
    public static List<String> stepNames(LoadSpec spec, Optional<? extends Scripts> journeys) {
        return journeys.<List<String>>map(Scripts::stepNames)
                .orElse(
                        spec.slow().areSome()
                                ? List.of("other clients", "slow clients")
                                : List.of());
    }
}
