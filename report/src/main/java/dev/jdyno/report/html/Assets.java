package dev.jdyno.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The style sheet and the scripts inside every HTML report: one style sheet, one chart script, and
/// uPlot (MIT, its notice stays in the page).
public final class Assets {
    // a colour variable: --measured: #0a6ebd;
    private static final Pattern COLOUR = Pattern.compile("(--[\\w-]+): (#[0-9a-f]{6});");

    /// The colours of the style sheet for light pages, which come before those for dark pages.
    private static final Map<String, String> COLOURS =
            COLOUR.matcher(text("report.css"))
                    .results()
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    m -> m.group(1), m -> m.group(2), (light, _) -> light));

    private Assets() {}

    /// A colour of the style sheet, for attributes where no style sheet may be used.
    ///
    /// @param variable such as `--measured`
    static String colour(String variable) {
        return Objects.requireNonNull(COLOURS.get(variable), variable);
    }

    public static String style() {
        return text("uplot-1.6.32.min.css") + text("report.css");
    }

    public static String plotScript() {
        return text("uplot-1.6.32.min.js");
    }

    public static String chartScript() {
        return text("chart.js");
    }

    /// Search and zoom of flame graphs.
    public static String flameScript() {
        return text("flame.js");
    }

    /// The script that shows the events of a current run.
    static String liveScript() {
        return text("live.js");
    }

    /// The script that counts the selected results of a list.
    static String listScript() {
        return text("list.js");
    }

    /// The policy of pages with lists, whose forms send requests to this server.
    static String listPolicy() {
        return policy("'self'") + " " + hash(listScript());
    }

    /// The policy of the page of a current run, which receives its events.
    static String livePolicy() {
        return policy() + " " + hash(liveScript()) + "; connect-src 'self'";
    }

    /// uPlot's licence, which must accompany every copy.
    public static String plotLicence() {
        return text("uplot-LICENSE.txt").strip();
    }

    /// The content security policy of a page. The page loads nothing and runs only its own scripts,
    /// so that a text that was not escaped cannot run either.
    public static String policy() {
        return policy("'none'");
    }

    private static String policy(String forms) {
        return "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action "
                + forms
                + "; script-src "
                + hash(plotScript())
                + " "
                + hash(chartScript())
                + " "
                + hash(flameScript());
    }

    private static String hash(String script) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(script.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String text(String name) {
        try (InputStream in =
                Objects.requireNonNull(Assets.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
