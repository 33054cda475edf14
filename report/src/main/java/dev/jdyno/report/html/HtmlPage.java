package dev.jdyno.report.html;

import java.util.Locale;

/// A page that a template of its name draws: `plans.jte` draws {@link PlansPage}.
public sealed interface HtmlPage
        permits ComparePage,
                EntryPage,
                GcPage,
                HistoryPage,
                LivePage,
                NotePage,
                PairPage,
                PlansPage,
                TrendPage,
                TunePage,
                WarmPage,
                WatchDayPage,
                WatchPage,
                WatchRangePage {
    /// The template's file.
    default String template() {
        String name = getClass().getSimpleName();
        return name.substring(0, name.length() - "Page".length()).toLowerCase(Locale.ROOT) + ".jte";
    }
}
