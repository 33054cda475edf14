package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import java.util.regex.Pattern;

/// What was loaded, as a reader of several reports tells them apart.
public final class ServiceName {
    private static final Pattern URL = Pattern.compile("https?://([^\\s/?#'\"]+)([^\\s?#'\"]*)");

    /// A longer path would push the figures down.
    private static final int MOST_PATH = 80;

    private ServiceName() {}

    /// `127.0.0.1:8080/api/quotes`: a run that is named by the host of its URL, with the path from
    /// its command line and without the query; every other name as it is.
    public static String of(RunResult.About about) {
        return URL.matcher(about.commandLine())
                .results()
                .filter(url -> url.group(1).equals(about.name()))
                .map(url -> url.group(2))
                .filter(path -> !path.equals("/"))
                .findFirst()
                .map(path -> path.length() <= MOST_PATH ? path : path.substring(0, MOST_PATH) + "…")
                .map(path -> about.name() + path)
                .orElse(about.name());
    }
}
