package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.RegularFile;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/// A file with a line for each host: `[USER@]HOST[:PORT] [ADDRESS[:PORT]]`. The first word is for
/// ssh. The second one is the address at which the agent listens, by default port 4711 of the first
/// word's host. Empty lines and lines that begin with `#` are skipped.
final class HostFile {
    private static final int MAX_BYTES = 1 << 20;

    /// Maximum number of hosts, which is the maximum number of agents of a run.
    private static final int MAX_HOSTS = 1_000;

    private static final int PORT = 4711;
    private static final int ID_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private HostFile() {}

    /// @throws UserError with all mistakes of all lines
    static List<Place> read(Path file) {
        List<String> lines;
        try {
            lines =
                    new String(RegularFile.bytes(file, MAX_BYTES), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
        } catch (NotTrusted other) {
            throw UserError.usage(
                            "cannot read the hosts of " + file,
                            "it " + other.why(),
                            "give a file with a line for each host")
                    .causedBy(other);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the hosts of " + file,
                            e.toString(),
                            "give a file with a line for each host")
                    .causedBy(e);
        }
        var problems = new Problems();
        List<Place> places = new ArrayList<>();
        Set<AgentAddress> agents = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                line(file + ":" + (i + 1), line, places, agents, problems);
            }
        }
        if (problems.isEmpty() && places.isEmpty()) {
            problems.add(file.toString(), "it names no host", "write USER@HOST, a line for each");
        }
        if (places.size() > MAX_HOSTS) {
            problems.add(
                    file.toString(),
                    "it names " + places.size() + " hosts",
                    "name at most " + MAX_HOSTS);
        }
        problems.throwIfAny(file.toString());
        return places;
    }

    private static void line(
            String where,
            String line,
            List<Place> places,
            Set<AgentAddress> agents,
            Problems problems) {
        String[] words = line.split("\\s+");
        if (words.length > 2) {
            problems.add(
                    where,
                    "it has " + words.length + " words",
                    "write [USER@]HOST[:PORT], and where its agent listens if that is elsewhere");
            return;
        }
        try {
            Login login = Login.parse(words[0]);
            AgentAddress agent =
                    words.length == 1 ? new AgentAddress(login.host(), PORT) : address(words[1]);
            var listen =
                    words.length == 1
                            ? new AgentAddress(login.host().contains(":") ? "::" : "0.0.0.0", PORT)
                            : agent;
            if (agents.add(agent)) {
                places.add(new Place(login, agent, listen, id()));
            } else {
                problems.add(where, "agent " + agent + " is named twice", "name each once");
            }
        } catch (IllegalArgumentException e) {
            problems.add(
                    where,
                    Printable.line(String.valueOf(e.getMessage())),
                    "write such as deploy@lg1:22 10.0.0.7:4711");
        }
    }

    private static AgentAddress address(String word) {
        boolean bare = word.lastIndexOf(':') < 0 || word.endsWith("]");
        AgentAddress at = AgentAddress.parse(bare ? word + ":" + PORT : word);
        if (at.port() == 0) {
            throw new IllegalArgumentException("'" + word + "' has no port of its own");
        }
        return at;
    }

    private static String id() {
        byte[] random = new byte[ID_BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
