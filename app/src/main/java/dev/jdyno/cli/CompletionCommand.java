package dev.jdyno.cli;

import dev.jdyno.cli.completion.FishCompletion;
import dev.jdyno.cli.completion.ManPage;
import dev.jdyno.cli.completion.ZshCompletion;
import dev.jdyno.cli.terminal.Version;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Print the completion script of a shell, or the manual for man.",
            "",
            "The self-contained package has these files below share/."
        },
        footer = {
            "",
            "Examples:",
            "  bash: source <(jdyno completion bash)",
            "  zsh:  source <(jdyno completion zsh)",
            "  fish: jdyno completion fish > ~/.config/fish/completions/jdyno.fish",
            "  man:  jdyno completion man | man -l -"
        })
final class CompletionCommand implements Callable<Integer> {
    /// The forms of output.
    enum Form {
        BASH,
        ZSH,
        FISH,
        MAN
    }

    @Parameters(paramLabel = "FORM", description = "bash, zsh, fish or man.")
    private Form form = Form.BASH;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine whole = Verbs.whole();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (form) {
                    case BASH -> AutoComplete.bash(whole.getCommandName(), whole);
                    case ZSH -> ZshCompletion.of(AutoComplete.bash(whole.getCommandName(), whole));
                    case FISH -> FishCompletion.of(whole.getCommandSpec());
                    case MAN -> ManPage.of(whole.getCommandSpec(), Version.text());
                });
        out.flush();
        return 0;
    }
}
