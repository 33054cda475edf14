package dev.jdyno.report.html;

/// One chart of a page.
///
/// @param id of the chart on its page
/// @param says what it shows, for who cannot see it
public record Figure(String id, String title, String says, Chart chart) {}
