package dev.jdyno.measure.load;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// How replies are observed, and when a long reply is over.
///
/// @param chunks whether chunks count as events if a reply is not `text/event-stream`
/// @param until the condition that ends a continuing reply; if empty, the server ends it
/// @param trace whether requests carry a `traceparent` (W3C Trace Context, level 1)
/// @param traceUrl address of a trace in the user's viewer, with {@link #ID} in place of its id
public record ReplyRules(
        boolean chunks, Optional<Until> until, boolean trace, Optional<String> traceUrl) {
    public static final ReplyRules NONE =
            new ReplyRules(false, Optional.empty(), false, Optional.empty());

    /// Placeholder of the trace id.
    public static final String ID = "{id}";

    private static final Pattern TRACE_ID = Pattern.compile("[0-9a-f]{32}");

    /// Maximum length of a viewer's address, in characters.
    private static final int LONGEST_URL = 2000;

    /// @throws IllegalArgumentException if the template is not the address of a trace
    public ReplyRules {
        traceUrl.ifPresent(ReplyRules::requireTemplate);
    }

    /// True if events are counted in all replies, and not only in `text/event-stream`.
    public boolean watchesAll() {
        return chunks || until.isPresent();
    }

    /// Checks a template such as `http://tempo/trace/{id}`.
    ///
    /// @return the template
    /// @throws IllegalArgumentException if it is not an http or https address that contains `{id}`
    ///   once
    public static String requireTemplate(String template) {
        int at = template.indexOf(ID);
        if (at < 0 || template.indexOf(ID, at + 1) >= 0) {
            throw new IllegalArgumentException("'" + template + "' has not " + ID + " once in it");
        }
        if (template.length() > LONGEST_URL) {
            throw new IllegalArgumentException("longer than " + LONGEST_URL + " characters");
        }
        URI url;
        try {
            url = URI.create(template.replace(ID, "0"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + template + "' is no URL", e);
        }
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (!web || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'" + template + "' is no http or https URL of a host, without a user");
        }
        if (!URI.create(template.replace(ID, "1"))
                .getRawAuthority()
                .equals(url.getRawAuthority())) {
            throw new IllegalArgumentException("'" + template + "' has " + ID + " in its host");
        }
        return template;
    }

    /// The address of a trace; empty if the id is invalid, or the template is not an address.
    public static Optional<String> link(String template, String traceId) {
        if (!TRACE_ID.matcher(traceId).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(requireTemplate(template).replace(ID, traceId));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }
}
