package dev.jdyno.repository;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which changed file a method is in, and what changed there. Pure.
final class SourceFile {
    private static final List<String> ENDINGS = List.of(".java", ".kt", ".scala", ".groovy");

    private SourceFile() {}

    /// The file of a method's outermost class: by its package where a file has such folders, else
    /// by the class's name alone, for Kotlin may leave folders of packages out.
    ///
    /// @param method such as `com.acme.Price$Tax.of`
    /// @param files that changed
    static Optional<String> of(String method, List<String> files) {
        int dot = method.lastIndexOf('.');
        if (dot <= 0) {
            return Optional.empty();
        }
        String type = method.substring(0, dot);
        int inner = type.indexOf('$');
        String outer = inner > 0 ? type.substring(0, inner) : type;
        String path = outer.replace('.', '/');
        String name = path.substring(path.lastIndexOf('/') + 1);
        return Stream.of(path, name)
                .flatMap(p ->
                        files.stream()
                                .filter(f ->
                                        ENDINGS.stream()
                                                .anyMatch(e -> ("/" + f).endsWith("/" + p + e)))
                                .sorted(Comparator.comparingInt(String::length)))
                .findFirst();
    }

    /// The lines that were added or taken out, behind the head of their hunk.
    ///
    /// @param diff of one file, as git prints it without context
    static List<String> changed(String diff) {
        return diff.lines()
                .dropWhile(l -> !l.startsWith("@@"))
                .filter(l -> l.startsWith("@@") || l.startsWith("+") || l.startsWith("-"))
                .toList();
    }
}
