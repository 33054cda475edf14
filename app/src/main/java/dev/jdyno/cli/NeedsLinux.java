package dev.jdyno.cli;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// Refuses verbs that measure or observe on systems other than Linux. Verbs that read files and
/// stored results run on every system with a JVM.
final class NeedsLinux {
    /// Verbs that run on every system, each with a condition on its command line.
    private static final Map<String, Predicate<ParseResult>> ELSEWHERE =
            Map.of(
                    "gc", _ -> true,
                    "heap", verb -> !verb.hasMatchedOption("--pid"),
                    "whatif", _ -> true,
                    "report", _ -> true,
                    "history", _ -> true,
                    "serve", _ -> true,
                    "completion", _ -> true,
                    "mcp", verb -> !verb.hasMatchedOption("--allow-load"),
                    "guard", verb -> verb.hasMatchedOption("--series"),
                    "compare", NeedsLinux::isOfStoredResults);

    private NeedsLinux() {}

    /// @param system name of this system, as in `os.name`
    /// @param all a whole command line without mistakes
    /// @throws UserError if the verb needs Linux and this system is another one
    static void check(String system, ParseResult all) {
        if (system.equals("Linux") || !all.hasSubcommand() || asksForHelp(all)) {
            return;
        }
        ParseResult verb = all.subcommand();
        String name = verb.commandSpec().name();
        if (ELSEWHERE.getOrDefault(name, _ -> false).test(verb)) {
            return;
        }
        throw UserError.usage(
                "jdyno "
                        + name
                        + (ELSEWHERE.containsKey(name) ? " of this kind" : "")
                        + " needs Linux",
                "this system is "
                        + system
                        + "; load, diagnosis and agents use epoll, /proc and the attach sockets of Linux",
                "run it in a container: docker run --rm "
                        + Version.image()
                        + " "
                        + name
                        + " …; here you have gc, heap, whatif, report, history, serve, mcp,"
                        + " compare A.json B.json and guard --series");
    }

    static Set<String> verbs() {
        return ELSEWHERE.keySet();
    }

    private static boolean asksForHelp(ParseResult all) {
        ParseResult at = all;
        while (!at.isUsageHelpRequested() && !at.isVersionHelpRequested()) {
            if (!at.hasSubcommand()) {
                return false;
            }
            at = at.subcommand();
        }
        return true;
    }

    private static boolean isOfStoredResults(ParseResult compare) {
        List<String> files =
                compare.matchedPositionals().stream()
                        .map(PositionalParamSpec::stringValues)
                        .flatMap(List::stream)
                        .toList();
        return files.size() == 2 && files.stream().allMatch(f -> f.endsWith(".json"));
    }
}
