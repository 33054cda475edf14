package dev.jdyno.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces environment variables in the texts of one plan by their values, and stores the original
/// texts.
///
/// `${NAME}` is replaced by the value of a variable, and `$${` by the text `${`. The steps of a
/// workload contain placeholders of the same form, which the load engine fills. In them, a name of
/// the workload takes precedence over a variable, and `$${` is left for the engine.
final class Variables {
    private static final String LITERAL = "$${";

    // matches ${NAME} and $${
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^{}]*)\\}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Environment environment;
    private final String prefix;
    private final Map<Written.Place, String> texts;

    private Variables(Environment environment, String prefix, Map<Written.Place, String> texts) {
        this.environment = environment;
        this.prefix = prefix;
        this.texts = texts;
    }

    static Variables of(Environment environment) {
        return new Variables(environment, "", new LinkedHashMap<>());
    }

    /// Returns variables for a file whose keys are below `key` of the plan.
    Variables below(String key) {
        return new Variables(environment, prefix + key + ".", texts);
    }

    Written written() {
        return new Written(texts);
    }

    /// A text with its variables replaced.
    ///
    /// @param raw text in the file
    /// @param hasVariables whether any variable was replaced
    /// @param mistakes the problems with the other references
    record Replaced(String raw, String text, boolean hasVariables, List<String> mistakes) {}

    Replaced replace(String raw) {
        return replace(raw, Set.of(), false);
    }

    /// @param holes names that the load engine fills
    Replaced inTemplate(String raw, Set<String> holes) {
        return replace(raw, holes, true);
    }

    private Replaced replace(String raw, Set<String> holes, boolean template) {
        var text = new StringBuilder();
        List<String> mistakes = new ArrayList<>();
        boolean found = false;
        Matcher m = REFERENCE.matcher(raw);
        while (m.find()) {
            String name = m.group(1);
            if (name == null) {
                put(m, text, template ? LITERAL : "${");
            } else if (holes.contains(name)) {
                put(m, text, m.group());
            } else if (!NAME.matcher(name).matches()) {
                put(m, text, "");
                mistakes.add("'" + m.group() + "' is no environment variable");
            } else {
                var value = environment.value(name);
                found |= value.isPresent();
                put(m, text, value.map(v -> template ? escaped(v) : v).orElse(""));
                if (value.isEmpty()) {
                    mistakes.add("the environment variable " + name + " is not set");
                }
            }
        }
        return new Replaced(raw, m.appendTail(text).toString(), found, mistakes);
    }

    private static void put(Matcher m, StringBuilder text, String replacement) {
        m.appendReplacement(text, Matcher.quoteReplacement(replacement));
    }

    /// Escapes a text so that {@link #replace(String)} returns the original.
    static String escaped(String text) {
        return text.replace("${", LITERAL);
    }

    void remember(String key, Object value, Replaced replaced) {
        if (replaced.hasVariables()) {
            texts.put(new Written.Place(prefix + key, value), replaced.raw());
        }
    }
}
