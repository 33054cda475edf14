package dev.jdyno.trial.agent;

import dev.jdyno.inside.remote.LaunchName;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The commands that an agent may start, by name. They come from the agent's own command line: a
/// run can only send one of these names.
///
/// @param commands shell commands with {@link Plan#PORT} in place of the port
public record LaunchList(Map<String, String> commands) {
    public static final LaunchList NONE = new LaunchList(Map.of());

    public LaunchList {
        commands = Collections.unmodifiableMap(new LinkedHashMap<>(commands));
    }

    /// Reads `NAME=COMMAND` texts.
    ///
    /// @param problems gets the mistakes, which are left out of the list
    public static LaunchList of(List<String> texts, Problems problems) {
        Map<String, String> commands = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? "" : text.substring(0, equals);
            String command = text.substring(equals + 1);
            if (!LaunchName.isName(name) || command.isBlank()) {
                problems.add(
                        "--launch",
                        "it is not NAME=COMMAND with a name of " + LaunchName.FORM,
                        "write --launch a='java -jar app.jar --server.port={port}'");
            } else if (!command.contains(Plan.PORT)) {
                problems.add(
                        "--launch " + name,
                        "its command has no {port}",
                        "write {port} where the command takes its port; the agent chooses a free"
                                + " one at each start");
            } else if (commands.putIfAbsent(name, command) != null) {
                problems.add("--launch " + name, "given twice", "give each command its own name");
            }
        }
        return new LaunchList(commands);
    }

    public boolean isEmpty() {
        return commands.isEmpty();
    }

    /// The names in the order of the command line.
    public List<String> names() {
        return List.copyOf(commands.keySet());
    }

    /// The command of this name, with its port.
    Optional<String> command(String name, int port) {
        return Optional.ofNullable(commands.get(name))
                .map(c -> c.replace(Plan.PORT, Integer.toString(port)));
    }
}
