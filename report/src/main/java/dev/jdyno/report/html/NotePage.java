package dev.jdyno.report.html;

/// A page with a note on missing data and the next step for the user.
///
/// @param version of jdyno
public record NotePage(String title, String says, String version) implements HtmlPage {}
