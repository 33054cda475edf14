package dev.jdyno.cli.completion;

/// Turns the bash script into one for zsh, which runs such scripts after `bashcompinit` is loaded.
/// The script works both when it is sourced and as the file `_jdyno` in a folder of `fpath`. In the
/// second case, zsh runs it at the first completion of `jdyno`.
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
