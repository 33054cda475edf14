package dev.jdyno.repository;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the changed file of a method, and its changed lines. Pure.
final class SourceFile {
    private static final List<String> ENDINGS = List.of(".java", ".kt", ".scala", ".groovy");

    private SourceFile() {}

    /// Returns the file of a method's outermost class. It is found by package if the file's folders
    /// match, otherwise by the class name alone, because Kotlin may omit package folders.
    ///
    /// @param method such as `com.acme.Price$Tax.of`
    /// @param files the changed files
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

    /// Returns the added and removed lines, each group after the header of its hunk.
    ///
    /// @param diff diff of one file without context, as git prints it
    static List<String> changed(String diff) {
        return diff.lines()
                .dropWhile(l -> !l.startsWith("@@"))
                .filter(l -> l.startsWith("@@") || l.startsWith("+") || l.startsWith("-"))
                .toList();
    }
}
