package dev.jdyno.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

/// Style and scripts that every HTML report carries inside itself: one style sheet, one chart
/// script, uPlot (MIT, its notice stays in the page).
public final class Assets {
    private Assets() {}

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

    /// What shows the events of a run that goes on.
    static String liveScript() {
        return text("live.js");
    }

    /// What counts the ticked results of a list.
    static String listScript() {
        return text("list.js");
    }

    /// The policy of the pages with lists: their forms ask this server.
    static String listPolicy() {
        return policy("'self'") + " " + hash(listScript());
    }

    /// The policy of the page that listens to them.
    static String livePolicy() {
        return policy() + " " + hash(liveScript()) + "; connect-src 'self'";
    }

    /// uPlot's licence as it must accompany every copy.
    public static String plotLicence() {
        return text("uplot-LICENSE.txt").strip();
    }

    /// The page's content security policy: it loads nothing from anywhere and runs its own scripts
    /// only, so that a text that slipped through the escaping could still not run.
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
