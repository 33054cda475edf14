package dev.jdyno.report.html;

/// One chart of a page.
///
/// @param id of the chart on its page
/// @param says description of the chart, for readers who cannot see it
public record Figure(String id, String title, String says, Chart chart) {}
