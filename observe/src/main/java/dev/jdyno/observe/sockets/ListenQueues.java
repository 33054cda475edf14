package dev.jdyno.observe.sockets;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Maximum number of connections that may wait to be accepted: the backlog of a listening socket,
/// which the kernel limits to `net.core.somaxconn`. `/proc/net/tcp` does not contain it; `ss`
/// (iproute2) prints it.
public final class ListenQueues {
    public static final List<String> SS = List.of("ss", "-ltnH");

    // LISTEN 0      100                *:8080             *:*
    private static final Pattern LISTENER =
            Pattern.compile("^LISTEN\\s+\\d+\\s+(\\d+)\\s+\\S+:(\\d+)\\s", Pattern.MULTILINE);

    private ListenQueues() {}

    /// @param ports the ports of interest
    /// @return empty when the kernel's data could not be read
    public static Optional<List<LayerLimit>> of(NetworkCommand command, Set<Integer> ports)
            throws InterruptedException {
        return command.output()
                .map(output ->
                        parse(output).entrySet().stream()
                                .filter(e -> ports.contains(e.getKey()))
                                .map(e ->
                                        new LayerLimit(
                                                "listen queue of port " + e.getKey(),
                                                Kind.LISTEN_QUEUE,
                                                e.getValue(),
                                                "its backlog by ss; they wait to be accepted"))
                                .toList());
    }

    /// The backlog by port; of several listeners on one port (`SO_REUSEPORT`) their sum.
    static Map<Integer, Integer> parse(String output) {
        Map<Integer, Integer> backlogs = new TreeMap<>();
        Matcher m = LISTENER.matcher(output);
        while (m.find()) {
            backlogs.merge(
                    Integer.parseInt(m.group(2)), Integer.parseInt(m.group(1)), Integer::sum);
        }
        return backlogs;
    }
}
