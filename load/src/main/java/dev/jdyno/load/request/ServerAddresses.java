package dev.jdyno.load.request;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The addresses of the URL's host, resolved once: a name whose address changes during a run would
/// spoil it.
///
/// @param used the addresses that receive the load
/// @param unanswered the addresses that accepted no connection while another one did
public record ServerAddresses(List<SocketAddress> used, List<SocketAddress> unanswered) {
    // the first run of zeros in an IPv6 address, such as 2001:db8:0:0:0:0:0:1
    private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

    public ServerAddresses {
        used = List.copyOf(used);
        unanswered = List.copyOf(unanswered);
    }

    private ServerAddresses(List<SocketAddress> used) {
        this(used, List.of());
    }

    /// @throws UserError if the host has no address
    public static ServerAddresses of(LoadSpec spec) {
        if (spec.unixSocket().isPresent()) {
            return new ServerAddresses(
                    List.of(UnixDomainSocketAddress.of(spec.unixSocket().get())));
        }
        String host = spec.host();
        if (host.isEmpty()) {
            throw UserError.usage(
                    "cannot load " + spec.url(),
                    "the URL names no host",
                    "write it as http://host:port/path");
        }
        InetAddress given = spec.resolve().get(host);
        InetAddress[] found = given == null ? lookUp(host) : new InetAddress[] {given};
        List<SocketAddress> all =
                Stream.of(found)
                        .map(a -> (SocketAddress) new InetSocketAddress(a, spec.port()))
                        .toList();
        return all.size() == 1 ? new ServerAddresses(all) : answering(all, spec);
    }

    /// Spreads the load over the addresses that accept a connection now. `localhost` is often both
    /// 127.0.0.1 and ::1, and the server listens on one of them only. If no address accepts, all
    /// are kept and the run shows the errors.
    private static ServerAddresses answering(List<SocketAddress> all, LoadSpec spec) {
        List<SocketAddress> good = new ArrayList<>();
        List<SocketAddress> refused = new ArrayList<>();
        for (SocketAddress address : all) {
            (accepts(address, spec.connectTimeout()) ? good : refused).add(address);
        }
        return good.isEmpty() ? new ServerAddresses(all) : new ServerAddresses(good, refused);
    }

    /// The addresses as `127.0.0.1:8080`, `[::1]:8080`, or the path of a Unix domain socket.
    public static List<String> text(List<SocketAddress> addresses) {
        return addresses.stream().map(ServerAddresses::text).toList();
    }

    private static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return address.toString();
        }
        String host = inet.getAddress().getHostAddress();
        return (inet.getAddress() instanceof Inet6Address
                        ? "[" + ZEROS.matcher(host).replaceFirst("::") + "]"
                        : host)
                + ":"
                + inet.getPort();
    }

    private static boolean accepts(SocketAddress address, Duration timeout) {
        try (var socket = new Socket()) {
            socket.connect(address, (int) Math.max(1, timeout.toMillis()));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /// Adds both loopback addresses, which `localhost` means (RFC 6761), whatever the hosts file
    /// contains.
    private static InetAddress[] withLoopback(InetAddress[] found) {
        Set<InetAddress> all = new LinkedHashSet<>(List.of(found));
        all.add(InetAddress.ofLiteral("127.0.0.1"));
        all.add(InetAddress.ofLiteral("::1"));
        return all.toArray(InetAddress[]::new);
    }

    private static InetAddress[] lookUp(String host) {
        try {
            String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            InetAddress[] found = InetAddress.getAllByName(bare);
            return bare.equalsIgnoreCase("localhost") ? withLoopback(found) : found;
        } catch (UnknownHostException e) {
            throw UserError.target(
                            "cannot find the host " + host,
                            "DNS has no address for it",
                            "check the name, or give the address with --resolve " + host + ":IP")
                    .causedBy(e);
        }
    }
}
