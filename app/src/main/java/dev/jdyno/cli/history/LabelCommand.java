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
        description = "Set or remove a result's label; labelled results are never pruned.")
final class LabelCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "Id of the result, or the beginning of the id.")
    private String id = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TEXT",
            description = "The label; without one, the result loses its label.")
    private @Nullable String text;

    @Mixin private StoreOption store = new StoreOption();

    @Override
    public Integer call() {
        store.open().label(id, Optional.ofNullable(text).filter(t -> !t.isBlank()));
        return 0;
    }
}
