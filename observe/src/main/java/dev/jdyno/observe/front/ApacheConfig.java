package dev.jdyno.observe.front;

import dev.jdyno.observe.host.SeenFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The directives of Apache httpd that apply, in order. `Include` is followed; `<IfModule>` and
/// `<IfDefine>` are read if their condition holds, every other section always.
final class ApacheConfig {
    /// Maximum depth of includes, the same as httpd's own limit.
    private static final int DEEPEST = 128;

    private final SeenFiles files;
    private final Set<String> defined;
    private final Set<String> modules = new HashSet<>();
    private final List<List<String>> directives = new ArrayList<>();
    private String root;

    private ApacheConfig(SeenFiles files, String root, Set<String> defined) {
        this.files = files;
        this.root = root;
        this.defined = new HashSet<>(defined);
    }

    /// @param main path of the main file, as the server sees it
    /// @param root base of relative paths, until `ServerRoot` sets another one
    /// @param defined names that the command line defines (`-D`)
    static ApacheConfig read(SeenFiles files, String main, String root, Set<String> defined) {
        var config = new ApacheConfig(files, root, defined);
        config.add(main, 0);
        return config;
    }

    private void add(String file, int depth) {
        Optional<String> text = files.text(file);
        if (text.isEmpty()) {
            return;
        }
        // for each open section, whether it applies
        Deque<Boolean> open = new ArrayDeque<>();
        int leftOut = 0;
        for (String line : lines(text.get())) {
            if (line.startsWith("</")) {
                leftOut -= Boolean.FALSE.equals(open.poll()) ? 1 : 0;
            } else if (line.startsWith("<")) {
                open.push(applies(words(line.replaceAll("^<|>$", ""))));
                leftOut += open.element() ? 0 : 1;
            } else if (leftOut == 0) {
                directive(words(line), depth);
            }
        }
    }

    /// Lines without comments and empty lines; a backslash at the end continues a line.
    private static List<String> lines(String text) {
        return text.replaceAll("\\\\\\r?\\n", " ")
                .lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                .toList();
    }

    /// Words, separated by white space outside quotes; the quotes are removed.
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        var word = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            }
            if (quoted || !Character.isWhitespace(c)) {
                word.append(c);
            } else if (!word.isEmpty()) {
                words.add(unquoted(word));
                word.setLength(0);
            }
        }
        if (!word.isEmpty() || words.isEmpty()) {
            words.add(unquoted(word));
        }
        return words;
    }

    private static String unquoted(StringBuilder word) {
        int end = word.length();
        int from = end > 0 && word.charAt(0) == '"' ? 1 : 0;
        int to = end > from && word.charAt(end - 1) == '"' ? end - 1 : end;
        return word.substring(from, to);
    }

    /// True if the directives of a section count. Sections other than `<IfModule>` and `<IfDefine>`
    /// always count. They are for certain addresses, or their conditions (`<IfVersion>`, `<If>`)
    /// cannot be evaluated from outside.
    private boolean applies(List<String> section) {
        if (section.size() < 2) {
            return true;
        }
        boolean not = section.get(1).startsWith("!");
        String what = section.get(1).substring(not ? 1 : 0);
        return switch (section.getFirst().toLowerCase(Locale.ROOT)) {
            case "ifmodule" -> not != modules.contains(moduleName(what));
            case "ifdefine" -> not != defined.contains(what);
            default -> true;
        };
    }

    /// The common name of a module: `mod_proxy.c` and `proxy_module` are the same. Names of MPMs
    /// differ: `event.c`, `mpm_event_module`.
    private static String moduleName(String name) {
        return name.replaceFirst("^.*/", "")
                .replaceFirst("^mod_", "")
                .replaceFirst("\\.(c|so)$", "")
                .replaceFirst("_module$", "")
                .replaceFirst("^mpm_", "");
    }

    private void directive(List<String> words, int depth) {
        String name = words.getFirst().toLowerCase(Locale.ROOT);
        boolean include = name.equals("include") || name.equals("includeoptional");
        if (words.size() >= 2 && name.equals("loadmodule")) {
            modules.add(moduleName(words.get(1)));
        } else if (words.size() >= 2 && name.equals("serverroot")) {
            root = words.get(1);
        } else if (words.size() >= 2 && name.equals("define")) {
            defined.add(words.get(1));
        } else if (include && words.size() == 2 && depth < DEEPEST) {
            included(words.get(1), name.equals("include"), depth);
        } else if (files.canAdd(words)) {
            directives.add(List.copyOf(words));
        }
    }

    /// Reads an included path. A folder includes all files in it.
    ///
    /// @param must whether a missing file is an error
    private void included(String given, boolean must, int depth) {
        String path = given.startsWith("/") ? given : root + "/" + given;
        for (String found : files.matching(path)) {
            if (must || files.exists(found)) {
                files.inFolder(found, "*").forEach(file -> add(file, depth + 1));
            }
        }
    }

    /// True if the configuration loads a module; built-in modules are not known.
    boolean loads(String module) {
        return modules.contains(moduleName(module));
    }

    /// The last number that a directive sets.
    Optional<Long> number(String name) {
        return all(name).stream()
                .filter(d -> d.size() == 2 && d.get(1).matches("\\d{1,9}"))
                .map(d -> Long.parseLong(d.get(1)))
                .reduce((_, last) -> last);
    }

    /// All directives with a name.
    List<List<String>> all(String name) {
        return directives.stream().filter(d -> d.getFirst().equalsIgnoreCase(name)).toList();
    }
}
