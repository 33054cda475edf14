package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Shells complete every verb and every option, and the `man` page lists them.
class CompletionCommandTest {
    private static final long HANG_MINUTES = 2;

    @TempDir Path dir;

    private static String printed(String form) {
        var out = new StringWriter();
        var err = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "completion", form))
                .as(err.toString())
                .isZero();
        return out.toString();
    }

    /// Visible option names of every verb, such as `history list` → `--all`, `--json`.
    private static Map<String, Set<String>> options() {
        var found = new TreeMap<String, Set<String>>();
        collect(Verbs.whole(), "", found);
        return found;
    }

    private static void collect(CommandLine command, String path, Map<String, Set<String>> found) {
        found.put(
                path,
                command.getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .map(OptionSpec::longestName)
                        .collect(Collectors.toCollection(TreeSet::new)));
        command.getSubcommands()
                .forEach((name, verb) -> collect(verb, (path + " " + name).trim(), found));
    }

    private String ran(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(dir.toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(HANG_MINUTES, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private static boolean installed(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static Map<String, Set<String>> byVerb(String said) {
        var found = new TreeMap<String, Set<String>>();
        for (String line : said.lines().toList()) {
            String[] parts = line.split(":", 2);
            found.computeIfAbsent(parts[0], _ -> new TreeSet<>())
                    .addAll(List.of(parts[1].trim().split("\\s+")));
        }
        return found;
    }

    private static void assertNoneIsMissing(Map<String, Set<String>> completed) {
        assertThat(options()).hasSizeGreaterThan(20);
        options()
                .forEach((verb, options) ->
                        assertThat(completed.get(verb)).as(verb).containsAll(options));
    }

    @Test
    void bashCompletesEveryOptionOfEveryVerb() throws Exception {
        Files.writeString(dir.resolve("jdyno"), printed("bash"));
        List<String> script = new ArrayList<>(List.of("source jdyno", "compopt() { :; }"));
        for (String verb : options().keySet()) {
            script.add(
                    "COMP_WORDS=(jdyno %s -); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=();"
                            .formatted(verb));
            script.add("_complete_jdyno; echo \"%s:${COMPREPLY[*]}\"".formatted(verb));
        }

        String said = ran(List.of("bash", "-c", String.join("\n", script)));

        assertNoneIsMissing(byVerb(said));
    }

    @Test
    void bashCompletesVerbs() throws Exception {
        Files.writeString(dir.resolve("jdyno"), printed("bash"));

        String said =
                ran(
                        List.of(
                                "bash",
                                "-c",
                                "source jdyno; compopt() { :; }; COMP_WORDS=(jdyno ''); COMP_CWORD=1;"
                                        + " _complete_jdyno; echo \"${COMPREPLY[@]}\""));

        assertThat(said.trim().split(" "))
                .containsExactlyInAnyOrderElementsOf(Verbs.whole().getSubcommands().keySet());
    }

    @Test
    void fishCompletesEveryOptionOfEveryVerb() throws Exception {
        assumeTrue(installed("fish"), "there is no fish here");
        Files.writeString(dir.resolve("jdyno.fish"), printed("fish"));
        List<String> script = new ArrayList<>(List.of("source jdyno.fish"));
        for (String verb : options().keySet()) {
            script.add(
                    "echo \"%s:\"(complete -C 'jdyno %s -' | string split -f1 \\t | string join ' ')"
                            .formatted(verb, verb));
        }

        String said = ran(List.of("fish", "-N", "-c", String.join("\n", script)));

        assertNoneIsMissing(byVerb(said));
    }

    @Test
    void zshLoadsItsScript() throws Exception {
        assumeTrue(installed("zsh"), "there is no zsh here");
        Files.writeString(dir.resolve("_jdyno"), printed("zsh"));

        String said =
                ran(
                        List.of(
                                "zsh",
                                "-f",
                                "-c",
                                "autoload -Uz compinit; compinit -D; source ./_jdyno;"
                                        + " print -r -- ${_comps[jdyno]}"));

        assertThat(said).contains("_complete_jdyno");
    }

    @Test
    void theManualHasEveryVerbAndOptionAndIsCleanRoff() throws Exception {
        String page = printed("man");

        options()
                .forEach((verb, options) -> {
                    assertThat(page).contains(verb.isEmpty() ? ".SH VERBS" : ".SS jdyno " + verb);
                    options.forEach(
                            option -> assertThat(page).contains(option.replace("-", "\\-")));
                });
        // A line that begins with a dot is a macro of man(7). No text may become a macro by
        // accident.
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|nf|fi|sp|B)( .*)?"));
    }
}
