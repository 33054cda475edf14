package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UpFile;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/// The agents that one `up` has in a cluster, and their form in the {@link UpFile}: the version of
/// the form, the context, its server, the namespace, and the id with the number of agents, each on
/// a line.
///
/// @param context of the user's configuration; blank in a pod
/// @param server URL of the API of the context; blank in a pod
/// @param id random; it is the value of {@link #LABEL} of all objects, and part of their name
/// @param count number of agents
record Placed(String context, String server, String namespace, String id, int count) {
    /// The label of all objects of a run.
    static final String LABEL = "jdyno.dev/agents";

    static final String FORM = "jdyno-agents-kubernetes/1";

    /// Maximum number of agents of a run.
    static final int MAX = 1_000;

    private static final int ID_BYTES = 8;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final SecureRandom RANDOM = new SecureRandom();

    Placed {
        if (!ID.matcher(id).matches()
                || !WantedPods.isName(namespace)
                || !context.equals(Printable.line(context))
                || !server.equals(Printable.line(server))
                || count < 1
                || count > MAX) {
            throw new IllegalArgumentException("no agents of a cluster");
        }
    }

    /// Agents with a new id.
    static Placed of(Kubectl kubectl, int count) {
        byte[] random = new byte[ID_BYTES];
        RANDOM.nextBytes(random);
        return new Placed(
                kubectl.context(),
                kubectl.server(),
                kubectl.namespace(),
                HexFormat.of().formatHex(random),
                count);
    }

    /// The name of the Job, the Service and the Secret.
    String name() {
        return "jdyno-" + id;
    }

    /// Selects the objects of this run and no others.
    String selector() {
        return "--selector=" + LABEL + "=" + id;
    }

    /// The name of an agent's pod for resolvers of the cluster.
    String host(int index) {
        return name() + "-" + index + "." + name() + "." + namespace + ".svc";
    }

    /// The command with which a user removes all objects by hand.
    String byHand() {
        return "kubectl --namespace=" + namespace + " delete jobs,services,secrets " + selector();
    }

    String text() {
        return String.join("\n", FORM, context, server, namespace, id + " " + count) + "\n";
    }

    /// @throws UserError if there is no such file, another user can write it, or its form is wrong
    static Placed read(UpFile file) {
        try {
            List<String> lines = file.lines();
            if (lines.size() != 5 || !lines.getFirst().equals(FORM)) {
                throw new IllegalArgumentException("it has not the form " + FORM);
            }
            String[] last = lines.get(4).split(" ");
            if (last.length != 2 || !last[1].matches("\\d{1,4}")) {
                throw new IllegalArgumentException("its last line is no id and number");
            }
            return new Placed(
                    lines.get(1), lines.get(2), lines.get(3), last[0], Integer.parseInt(last[1]));
        } catch (NotTrusted other) {
            throw bad(file, "it " + other.why()).causedBy(other);
        } catch (IOException | IllegalArgumentException e) {
            throw bad(file, String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private static UserError bad(UpFile file, String why) {
        return UserError.usage(
                "cannot take agents down by " + file.path(),
                why,
                "find them with kubectl get jobs --show-labels ("
                        + LABEL
                        + "), delete jobs, services"
                        + " and secrets with that label, and remove the file");
    }
}
