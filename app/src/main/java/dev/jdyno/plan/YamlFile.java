package dev.jdyno.plan;

import dev.jdyno.measure.Problems;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/// One YAML file with keys at its top.
///
/// @param what names it in messages, such as `the plan shop.yaml`
/// @param file the name that messages give with a line
record YamlFile(String what, String file, String text) {
    /// @param kind such as `plan`
    /// @param mend what to do when it cannot be read
    /// @throws UserError of kind usage when it cannot be read
    static YamlFile read(String kind, Path file, String mend) {
        try {
            return of(kind, file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the " + kind + " " + file,
                            e.getClass().getSimpleName() + ": " + e.getMessage(),
                            mend)
                    .causedBy(e);
        }
    }

    static YamlFile of(String kind, String file, String text) {
        return new YamlFile("the " + kind + " " + file, file, text);
    }

    /// Its keys.
    ///
    /// @param problems gets what is wrong with them
    /// @param variables that its values may name
    /// @param least what to write at least, when it is empty
    /// @throws UserError of kind usage when it is no YAML or empty
    YamlMap top(Problems problems, Variables variables, String least) {
        Node root;
        try {
            root =
                    new Compose(LoadSettings.builder().setLabel(file).build())
                            .composeString(text)
                            .orElseThrow(() ->
                                    UserError.usage(what + " is empty", "it holds no key", least));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(m -> m.getLine() + 1).orElse(1);
            throw UserError.usage(
                            what + " is not YAML",
                            file + ":" + line + ": " + e.getProblem(),
                            "mend that line (a missing quote, a tab, a wrong indent?)")
                    .causedBy(e);
        }
        return YamlMap.of(file, "", root, problems, variables);
    }
}
