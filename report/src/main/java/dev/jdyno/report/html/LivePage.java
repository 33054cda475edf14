package dev.jdyno.report.html;

/// A run while it goes on.
///
/// @param name of the run; empty where none goes on
/// @param version of jdyno
public record LivePage(String name, String version) implements HtmlPage {
    /// What draws the events.
    public String script() {
        return Assets.liveScript();
    }

    /// The page's policy: it may listen to the events.
    public String policy() {
        return Assets.livePolicy();
    }
}
