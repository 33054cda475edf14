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

/// The directives of Apache httpd that hold, in order: `Include` followed, `<IfModule>` and
/// `<IfDefine>` looked into where they apply, every other section always.
final class ApacheConfig {
    /// As httpd's own limit of includes in includes.
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
    /// @param root what relative paths are below, until `ServerRoot` says otherwise
    /// @param defined of the command line (`-D`)
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
        // for each section that is open, whether it applies
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

    /// Without comments and empty lines; one that ends with a backslash goes on.
    private static List<String> lines(String text) {
        return text.replaceAll("\\\\\\r?\\n", " ")
                .lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                .toList();
    }

    /// By white space outside of quotes, which are left out.
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

    /// Other sections hold their directives for some addresses, or by conditions that cannot be
    /// told from outside (`<IfVersion>`, `<If>`): they count.
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

    /// `mod_proxy.c` and `proxy_module` are one; the names of MPMs differ: `event.c`,
    /// `mpm_event_module`.
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
        } else if (files.hasRoomFor(words)) {
            directives.add(List.copyOf(words));
        }
    }

    /// A folder stands for all that is in it.
    ///
    /// @param must whether it is a fault that it is not there
    private void included(String given, boolean must, int depth) {
        String path = given.startsWith("/") ? given : root + "/" + given;
        for (String found : files.matching(path)) {
            if (must || files.exists(found)) {
                files.inFolder(found, "*").forEach(file -> add(file, depth + 1));
            }
        }
    }

    /// Whether a module is loaded by the configuration; what is built in is not known.
    boolean loads(String module) {
        return modules.contains(moduleName(module));
    }

    /// The number that a directive sets last.
    Optional<Long> number(String name) {
        return all(name).stream()
                .filter(d -> d.size() == 2 && d.get(1).matches("\\d{1,9}"))
                .map(d -> Long.parseLong(d.get(1)))
                .reduce((_, last) -> last);
    }

    /// All directives of a name.
    List<List<String>> all(String name) {
        return directives.stream().filter(d -> d.getFirst().equalsIgnoreCase(name)).toList();
    }
}
