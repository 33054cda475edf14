package dev.jdyno.report.html;

/// A page that says what is missing and what to do.
///
/// @param version of jdyno
public record NotePage(String title, String says, String version) implements HtmlPage {}
