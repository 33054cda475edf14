package dev.jdyno.observe.front;

import dev.jdyno.observe.host.SeenFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// nginx's configuration as a flat list of its simple directives. `include` is followed.
final class NginxConfig {
    /// Maximum depth of includes; nginx itself is limited by its file descriptors.
    private static final int DEEPEST = 30;

    private final SeenFiles files;
    private final String folder;
    private final List<Directive> directives = new ArrayList<>();

    /// A directive that ends with `;`.
    ///
    /// @param block the surrounding block, `upstream app` or `events`; empty at the top
    record Directive(String block, List<String> words) {
        String name() {
            return words.getFirst();
        }

        /// The value of an argument: `100` in `max_conns=100` for `max_conns`.
        Optional<String> argument(String key) {
            return words.stream()
                    .filter(w -> w.startsWith(key + "="))
                    .map(w -> w.substring(key.length() + 1))
                    .findFirst();
        }
    }

    private NginxConfig(SeenFiles files, String folder) {
        this.files = files;
        this.folder = folder;
    }

    /// @param main path of the main file, as nginx sees it
    /// @param given directives of the command line (`-g`)
    static NginxConfig read(SeenFiles files, String main, String given) {
        var config = new NginxConfig(files, main.substring(0, main.lastIndexOf('/') + 1));
        files.text(main).ifPresent(text -> config.add(text, new ArrayDeque<>(), 0));
        config.add(given + ";", new ArrayDeque<>(), 0);
        return config;
    }

    /// @param blocks the blocks around the text, the innermost first
    private void add(String text, Deque<String> blocks, int depth) {
        var tokens = new NginxTokens(text);
        List<String> words = new ArrayList<>();
        int outside = blocks.size();
        for (Optional<String> next = tokens.next(); next.isPresent(); next = tokens.next()) {
            switch (tokens.kind()) {
                case WORD -> words.add(next.get());
                case END -> {
                    directive(words, blocks, depth);
                    words.clear();
                }
                case OPEN -> {
                    if (!words.isEmpty() && words.getFirst().endsWith("_by_lua_block")) {
                        tokens.skipBlock();
                    } else {
                        blocks.push(String.join(" ", words));
                    }
                    words.clear();
                }
                case CLOSE -> {
                    if (blocks.size() > outside) {
                        blocks.pop();
                    }
                    words.clear();
                }
            }
        }
    }

    private void directive(List<String> words, Deque<String> blocks, int depth) {
        if (words.isEmpty()) {
            return;
        }
        if (!words.getFirst().equals("include") || words.size() != 2 || depth >= DEEPEST) {
            if (files.canAdd(words)) {
                String block = Optional.ofNullable(blocks.peek()).orElse("");
                directives.add(new Directive(block, List.copyOf(words)));
            }
            return;
        }
        String path = words.get(1).startsWith("/") ? words.get(1) : folder + words.get(1);
        for (String file : files.matching(path)) {
            files.text(file).ifPresent(text -> add(text, blocks, depth + 1));
        }
    }

    /// All directives with a name in a block.
    List<Directive> all(String block, String name) {
        return directives.stream()
                .filter(d -> d.block().equals(block) && d.name().equals(name))
                .toList();
    }

    /// The number that a directive sets; empty if it is not set, or is a word.
    Optional<Long> number(String block, String name) {
        return all(block, name).stream()
                .filter(d -> d.words().size() >= 2 && d.words().get(1).matches("\\d{1,9}"))
                .map(d -> Long.parseLong(d.words().get(1)))
                .reduce((_, last) -> last);
    }

    /// `upstream app` for each upstream block that has servers.
    List<String> upstreams() {
        return directives.stream()
                .filter(d -> d.block().startsWith("upstream ") && d.name().equals("server"))
                .map(Directive::block)
                .distinct()
                .toList();
    }
}
