package dev.jdyno.cli.options;

import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--store`: where results are stored.
public final class StoreOption {
    /// Environment variable with the store if the option is not given.
    private static final String VARIABLE = "JDYNO_STORE";

    @Option(
            names = "--store",
            paramLabel = "FILE|URL",
            description =
                    "The history: an SQLite file (default: jdyno/history.db in $XDG_DATA_HOME or"
                            + " ~/.local/share), or postgresql://user@host/database. $JDYNO_STORE"
                            + " does the same.")
    private @Nullable String store;

    /// @throws dev.jdyno.measure.text.UserError if the text is not a store
    public Store store() {
        return Optional.ofNullable(store)
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)).filter(v -> !v.isBlank()))
                .map(s -> Store.parse(s, Optional.ofNullable(System.getenv("PGPASSWORD"))))
                .orElseGet(() -> new Store.File(preset()));
    }

    private static Path preset() {
        return folder().resolve("history.db");
    }

    /// The folder for this user's data: `jdyno` in `$XDG_DATA_HOME` or `~/.local/share`.
    public static Path folder() {
        return Optional.ofNullable(System.getenv("XDG_DATA_HOME"))
                .filter(d -> d.startsWith("/"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "share"))
                .resolve("jdyno");
    }

    /// True if the store exists. It must not be opened for this check, because opening creates a
    /// missing file.
    boolean exists() {
        return switch (store()) {
            case Store.File(Path file) -> Files.exists(file);
            case Store.Server _ -> true;
        };
    }

    /// The `--store` option as words for another verb's command line. Empty if the option was not
    /// given.
    public List<String> words() {
        return store == null ? List.of() : List.of("--store", store);
    }

    /// @throws dev.jdyno.measure.text.UserError if the store cannot be opened
    public History open() {
        return History.open(store());
    }
}
