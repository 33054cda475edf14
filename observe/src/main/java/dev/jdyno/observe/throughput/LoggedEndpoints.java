package dev.jdyno.observe.throughput;

import dev.jdyno.measure.service.EndpointNames;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Counts the lines of an access log by endpoint: the method, and the path without its parameters.
/// Segments of the path that look like an id are replaced by `{}`. Requests to more endpoints than
/// {@link EndpointNames#MAX} are not counted here.
///
/// ```
/// 127.0.0.1 - - [29/Nov/2026:17:34:37 +0000] "GET /orders/17?full=1 HTTP/1.1" 200 12
/// ```
final class LoggedEndpoints {
    /// Only printable characters, because a client chooses the path.
    private static final Pattern REQUEST =
            Pattern.compile(
                    "(?:^|[\"\\s])(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS)"
                            + " (/[\\x21-\\x7e&&[^\"?;#]]*)");

    private static final Pattern SEGMENT = Pattern.compile("[^/]+");

    /// A version such as `v1`, which is no id although it has a digit.
    private static final Pattern VERSION = Pattern.compile("v\\d{1,2}");

    private static final Pattern DIGIT = Pattern.compile("\\d");

    /// Length from which on a segment counts as an id.
    private static final int LONG = 40;

    private final EndpointNames names = new EndpointNames();
    private Map<String, Double> requests = new HashMap<>();

    /// @param line of any format; a line without a request is not counted
    void add(String line) {
        Matcher found = REQUEST.matcher(line);
        if (found.find()) {
            names.of(found.group(1) + " " + route(found.group(2)))
                    .ifPresent(endpoint -> requests.merge(endpoint, 1.0, Double::sum));
        }
    }

    private static String route(String path) {
        return SEGMENT.matcher(path)
                .replaceAll(s -> isId(s.group()) ? "{}" : Matcher.quoteReplacement(s.group()));
    }

    private static boolean isId(String segment) {
        return segment.length() >= LONG
                || (DIGIT.matcher(segment).find() && !VERSION.matcher(segment).matches());
    }

    /// Returns the requests by endpoint since the last call.
    Map<String, Double> take() {
        Map<String, Double> taken = requests;
        requests = new HashMap<>();
        return taken;
    }
}
