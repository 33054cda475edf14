package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The commands in the documentation exist, because a reader types them.
class PageCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final CommandLine WHOLE = Verbs.whole();
    private static final Pattern COMMAND =
            Pattern.compile(
                    "(?:^\\s*|[;&|$(]\\s*|-- |sudo )(?:\\./)?(?:jdyno/)?(?:bin/)?"
                            + "jdyno ([^\\s#|;&][^#|;&]*)");
    private static final Pattern REMARK = Pattern.compile("(?:^|\\s)# .*");
    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
    private static final Pattern OPTION = Pattern.compile("(--?[A-Za-z][\\w-]*)(?:=.*)?");
    private static final Pattern VERB = Pattern.compile("[a-z][a-z-]*");

    /// Placeholder of a verb in texts about all verbs.
    private static final String ANY_VERB = "VERB";

    /// @param words after `jdyno`
    private record Command(String where, List<String> words) {}

    private static List<Command> commands() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(f -> f.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        List<Command> all = new ArrayList<>();
        for (Path page : pages) {
            boolean inside = false;
            for (String line : Files.readAllLines(page)) {
                if (line.strip().startsWith("```")) {
                    inside = !inside;
                } else if (inside) {
                    String code = REMARK.matcher(line).replaceFirst("");
                    Matcher found = COMMAND.matcher(QUOTED.matcher(code).replaceAll("''"));
                    while (found.find()) {
                        String[] words = found.group(1).strip().split("\\s+");
                        all.add(new Command(page.getFileName() + ": " + line, List.of(words)));
                    }
                }
            }
        }
        return all.stream().filter(c -> !c.words().getFirst().equals(ANY_VERB)).toList();
    }

    /// The first word that is not a verb or not an option of its verb.
    private static Optional<String> unknown(Command command) {
        CommandLine at = WHOLE;
        boolean isVerb = true;
        for (String word : command.words()) {
            CommandLine verb = at.getSubcommands().get(word);
            if (isVerb && verb != null) {
                at = verb;
                continue;
            }
            if (isVerb && at.getParent() == null && VERB.matcher(word).matches()) {
                return Optional.of(word);
            }
            isVerb = false;
            Matcher option = OPTION.matcher(word);
            if (option.matches()
                    && !at.getCommandSpec().optionsMap().containsKey(option.group(1))) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }

    @Test
    void everyVerbAndOptionExists() throws IOException {
        List<Command> all = commands();

        assertThat(all).hasSizeGreaterThan(100);
        assertThat(all.stream().filter(c -> unknown(c).isPresent()).map(Command::where)).isEmpty();
    }

    @Test
    void aVerbAndAnOptionThatDoNotExistAreFound() {
        assertThat(unknown(new Command("", List.of("rum", "plan.yaml")))).contains("rum");
        assertThat(unknown(new Command("", List.of("run", "--no-such")))).contains("--no-such");
        assertThat(unknown(new Command("", List.of("agents", "up", "--ssh", "lg1")))).isEmpty();
    }
}
