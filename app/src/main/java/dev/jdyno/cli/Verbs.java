package dev.jdyno.cli;

import dev.jdyno.cli.agent.AgentCommand;
import dev.jdyno.cli.agent.AgentsCommand;
import dev.jdyno.cli.gc.GcCommand;
import dev.jdyno.cli.guard.GuardCommand;
import dev.jdyno.cli.heap.HeapCommand;
import dev.jdyno.cli.history.HistoryCommand;
import dev.jdyno.cli.load.LoadCommand;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/// The verbs in groups by purpose, in the order of the help.
final class Verbs {
    private static final List<Group> GROUPS =
            List.of(
                    new Group(
                            "Measure a service under load",
                            new Verb("demo", DemoCommand.class),
                            new Verb("run", RunCommand.class),
                            new Verb("load", LoadCommand.class)),
                    new Group(
                            "Watch a JVM without sending load",
                            new Verb("ps", PsCommand.class),
                            new Verb("diagnose", DiagnoseCommand.class),
                            new Verb("threads", ThreadsCommand.class)),
                    new Group(
                            "Improve a service",
                            new Verb("tune", TuneCommand.class),
                            new Verb("compare", CompareCommand.class),
                            new Verb("warm", WarmCommand.class),
                            new Verb("size", SizeCommand.class)),
                    new Group(
                            "Keep the gain",
                            new Verb("guard", GuardCommand.class),
                            new Verb("history", HistoryCommand.class),
                            new Verb("serve", ServeCommand.class),
                            new Verb("mcp", McpCommand.class)),
                    new Group(
                            "Read files, calculate",
                            new Verb("report", ReportCommand.class),
                            new Verb("gc", GcCommand.class),
                            new Verb("heap", HeapCommand.class),
                            new Verb("whatif", WhatIfCommand.class)),
                    new Group(
                            "Load from other hosts, observe other hosts",
                            new Verb("agent", AgentCommand.class),
                            new Verb("agents", AgentsCommand.class)),
                    new Group(
                            "Check this machine and jdyno itself",
                            new Verb("doctor", DoctorCommand.class),
                            new Verb("lab", LabCommand.class),
                            new Verb("completion", CompletionCommand.class)));

    private static final int NAME = 12;

    private record Verb(String name, Class<?> command) {}

    private record Group(String title, List<Verb> verbs) {
        Group(String title, Verb... verbs) {
            this(title, List.of(verbs));
        }
    }

    private Verbs() {}

    /// Adds the requested verb, or all verbs if none is requested. Reading the options of the
    /// others costs 0.07 s of CPU at each start (0.18 instead of 0.25 s for `gc` without a file).
    ///
    /// @param first first word of the command line; blank if there is none
    static void addTo(CommandLine commandLine, String first) {
        boolean known = all().anyMatch(v -> v.name().equals(first));
        all().filter(v -> !known || v.name().equals(first))
                .forEach(v -> commandLine.addSubcommand(v.name(), v.command()));
    }

    /// The model of the whole command line; it cannot run a verb.
    static CommandLine whole() {
        var commandLine = new CommandLine(new Main());
        addTo(commandLine, "");
        return commandLine;
    }

    /// The list of verbs in the help: the first line of each description, by group.
    static String list(Help help) {
        Map<String, Help> verbs = help.subcommands();
        var text = new StringBuilder();
        for (Group group : GROUPS) {
            text.append(help.createHeading("%n" + group.title() + "%n"));
            group.verbs().stream()
                    .map(v -> verbs.get(v.name()))
                    .filter(Objects::nonNull)
                    .forEach(v -> text.append(line(v)));
        }
        return text.toString();
    }

    private static String line(Help verb) {
        String name = verb.commandSpec().name();
        return "  "
                + verb.colorScheme().commandText(name)
                + " ".repeat(NAME - name.length())
                + verb.commandSpec().usageMessage().description()[0]
                + System.lineSeparator();
    }

    private static Stream<Verb> all() {
        return GROUPS.stream().flatMap(g -> g.verbs().stream());
    }
}
