package dev.jdyno.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual of all verbs as one page for `man`, in the macros of man(7).
public final class ManPage {
    private static final List<String> EXIT_CODES =
            List.of(
                    "0", "Done, and the result is valid.",
                    "1", "The target or the network failed.",
                    "2", "Wrong usage, or a wrong plan.",
                    "3", "It ran, but the result is not valid, or nothing can be decided.",
                    "4", "compare: B is worse. guard: a regression.",
                    "130", "Interrupted; what was measured is written.");

    private final List<String> lines = new ArrayList<>();

    private ManPage() {}

    /// @param root the whole command model
    /// @param version such as `0.1.0`, for the foot of the page
    public static String of(CommandSpec root, String version) {
        var page = new ManPage();
        page.whole(root, version);
        return page.lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private void whole(CommandSpec root, String version) {
        String name = root.name();
        String[] about = root.usageMessage().description();
        lines.add(
                ".TH "
                        + name.toUpperCase(Locale.ROOT)
                        + " 1 \"\" \""
                        + text(name + " " + version)
                        + "\" \"User Commands\"");
        lines.add(".SH NAME");
        lines.add(text(name) + " \\- " + text(ModelText.first(about)));
        lines.add(".SH SYNOPSIS");
        synopsis(root);
        lines.add(".SH OPTIONS");
        ModelText.options(root).forEach(this::argument);
        lines.add(".SH VERBS");
        ModelText.verbs(root).forEach(this::verb);
        lines.add(".SH EXIT STATUS");
        for (int i = 0; i < EXIT_CODES.size(); i += 2) {
            lines.add(".TP");
            lines.add(".B " + EXIT_CODES.get(i));
            lines.add(text(EXIT_CODES.get(i + 1)));
        }
    }

    private void verb(CommandLine verb) {
        CommandSpec spec = verb.getCommandSpec();
        lines.add(".SS " + text(spec.qualifiedName(" ")));
        synopsis(spec);
        lines.add(".PP");
        ModelText.lines(spec.usageMessage().description()).forEach(this::line);
        spec.positionalParameters().stream().filter(p -> !p.hidden()).forEach(this::argument);
        ModelText.options(spec).forEach(this::argument);
        foot(spec);
        ModelText.verbs(spec).forEach(this::verb);
    }

    /// Writes the end of a page; its examples keep their line ends.
    private void foot(CommandSpec spec) {
        List<String> foot = ModelText.lines(spec.usageMessage().footer());
        if (!foot.isEmpty()) {
            lines.add(".PP");
            lines.add(".nf");
            foot.stream().dropWhile(String::isBlank).forEach(l -> lines.add(text(l)));
            lines.add(".fi");
        }
    }

    private void synopsis(CommandSpec spec) {
        var help = new CommandLine.Help(spec, Ansi.OFF);
        lines.add(".nf");
        for (String line : help.synopsis(0).stripTrailing().split("\\R")) {
            lines.add(text(line));
        }
        lines.add(".fi");
    }

    private void argument(ArgSpec argument) {
        lines.add(".TP");
        String label =
                switch (argument) {
                    case OptionSpec option -> {
                        String names = String.join(", ", option.names());
                        yield ModelText.takesValue(option)
                                ? names + "=" + option.paramLabel()
                                : names;
                    }
                    case PositionalParamSpec positional -> positional.paramLabel();
                    default -> argument.paramLabel();
                };
        lines.add("\\fB" + text(label) + "\\fR");
        List<String> about = ModelText.lines(argument.description());
        if (about.isEmpty()) {
            lines.add("\\&");
        }
        about.forEach(this::line);
    }

    private void line(String line) {
        lines.add(line.isBlank() ? ".sp" : text(line));
    }

    /// Escapes text for roff, where backslashes, dashes and a dot at the start of a line have a
    /// meaning.
    private static String text(String plain) {
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
