package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "label",
        mixinStandardHelpOptions = true,
        description = "Call a result something; labelled results are never pruned.")
final class LabelCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ID", description = "Its id, or the beginning of it.")
    private String id = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TEXT",
            description = "Its label; none takes it away.")
    private @Nullable String text;

    @Mixin private StoreOption store = new StoreOption();

    @Override
    public Integer call() {
        store.open().label(id, Optional.ofNullable(text).filter(t -> !t.isBlank()));
        return 0;
    }
}
