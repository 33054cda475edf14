package dev.jdyno.report.html;

/// The page of a current run.
///
/// @param name of the run; empty if there is no current run
/// @param version of jdyno
public record LivePage(String name, String version) implements HtmlPage {
    /// The script that draws the events.
    public String script() {
        return Assets.liveScript();
    }

    /// The page's policy, which allows it to receive the events.
    public String policy() {
        return Assets.livePolicy();
    }
}
