package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import java.util.regex.Pattern;

/// The name of the loaded service, by which readers distinguish several reports.
public final class ServiceName {
    private static final Pattern URL = Pattern.compile("https?://([^\\s/?#'\"]+)([^\\s?#'\"]*)");

    /// Maximum length of a path; a longer one would push the figures down.
    private static final int MAX_PATH = 80;

    private ServiceName() {}

    /// Returns a name such as `127.0.0.1:8080/api/quotes` for a run that is named by the host of
    /// its URL. The path comes from the command line, without the query. Every other name stays as
    /// it is.
    public static String of(RunResult.About about) {
        return URL.matcher(about.commandLine())
                .results()
                .filter(url -> url.group(1).equals(about.name()))
                .map(url -> url.group(2))
                .filter(path -> !path.equals("/"))
                .findFirst()
                .map(path -> path.length() <= MAX_PATH ? path : path.substring(0, MAX_PATH) + "…")
                .map(path -> about.name() + path)
                .orElse(about.name());
    }
}
