package dev.jdyno.cli.completion;

/// The bash script for zsh, which runs such scripts once `bashcompinit` is loaded. Both ways to use
/// it work: sourced, and as the file `_jdyno` in a folder of `fpath`, which zsh runs when it
/// completes `jdyno` for the first time.
public final class ZshCompletion {
    private static final String BEFORE =
            """
            #compdef jdyno
            autoload -Uz bashcompinit && bashcompinit
            """;

    private static final String AFTER =
            """
            # run by zsh as the function of that name: it wants the words at once
            if [ "${funcstack[1]-}" = _jdyno ]; then
              _bash_complete -o default -F _complete_jdyno
            fi
            """;

    private ZshCompletion() {}

    /// @param bash picocli's script
    public static String of(String bash) {
        return BEFORE + bash + "\n" + AFTER;
    }
}
