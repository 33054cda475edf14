package dev.jdyno.plan;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.ForeignYaml;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/// One YAML file with keys at its top level.
///
/// @param what name of the document in messages, such as `the plan shop.yaml`
/// @param file name of the file in messages with a line number
record YamlFile(String what, String file, String text) {
    /// @param kind such as `plan`
    /// @param fix advice for the user if the file cannot be read
    /// @throws UserError of kind usage if it cannot be read
    static YamlFile read(String kind, Path file, String fix) {
        try {
            return of(kind, file.toString(), ForeignText.decode(ForeignText.bytes(file)));
        } catch (Malformed e) {
            throw malformed("the " + kind + " " + file, file.toString(), e, fix);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the " + kind + " " + file,
                            e.getClass().getSimpleName() + ": " + e.getMessage(),
                            fix)
                    .causedBy(e);
        }
    }

    static YamlFile of(String kind, String file, String text) {
        return new YamlFile("the " + kind + " " + file, file, text);
    }

    /// The keys at the top level of the file.
    ///
    /// @param problems receives the mistakes in them
    /// @param variables that its values may name
    /// @param min minimum content of the file, for the message if it is empty
    /// @throws UserError of kind usage if it is not YAML, or empty
    YamlMap top(Problems problems, Variables variables, String min) {
        List<Node> documents;
        try {
            documents = ForeignYaml.documents(text);
        } catch (Malformed e) {
            throw malformed(
                    what, file, e, "fix that line (a missing quote, a tab, a wrong indent?)");
        }
        if (documents.isEmpty()) {
            throw UserError.usage(what + " is empty", "it holds no key", min);
        }
        if (documents.size() > 1) {
            Node second = documents.get(1);
            int line = second.getStartMark().map(m -> m.getLine() + 1).orElse(1);
            throw UserError.usage(
                    what + " holds more than one document",
                    file + ":" + line + ": another document begins before this line",
                    "keep one of them, without ---");
        }
        return YamlMap.of(file, "", documents.getFirst(), problems, variables);
    }

    /// The message may quote what the parser reports, because it is the user's own file.
    private static UserError malformed(String what, String file, Malformed e, String fix) {
        String where = e.line().isPresent() ? file + ":" + e.line().getAsInt() : file;
        return UserError.usage(what + " is not YAML", where + ": " + YamlMap.shown(e.detail()), fix)
                .causedBy(e);
    }
}
