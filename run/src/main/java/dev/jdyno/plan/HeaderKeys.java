package dev.jdyno.plan;

import dev.jdyno.measure.load.HttpWords;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// Headers in a file of the user. A header that cannot be sent in a request is reported as a
/// mistake.
final class HeaderKeys {
    private HeaderKeys() {}

    /// @return the headers whose name and value can be sent
    static Map<String, String> whole(YamlMap map, Map<String, String> given) {
        return checked(
                map,
                given,
                (name, value) -> {
                    String _ = HttpWords.headerName(name);
                    String _ = HttpWords.headerValue(value);
                });
    }

    /// @return the headers whose name can be sent; their values are made to fit one line when
    ///   filled
    static Map<String, String> named(YamlMap map, Map<String, String> given) {
        return checked(
                map,
                given,
                (name, _) -> {
                    String _ = HttpWords.headerName(name);
                });
    }

    private static Map<String, String> checked(
            YamlMap map, Map<String, String> given, BiConsumer<String, String> check) {
        Map<String, String> good = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            try {
                check.accept(name, value);
                good.put(name, value);
            } catch (IllegalArgumentException mistake) {
                map.problem(
                        "headers",
                        String.valueOf(mistake.getMessage()),
                        "write Name: value, the value in one line");
            }
        });
        return good;
    }
}
