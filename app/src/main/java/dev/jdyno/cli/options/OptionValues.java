package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import java.time.Duration;

/// Reads the values of `jdyno load`'s options. A mistake goes into `problems`, and a harmless value
/// stands in for it.
record OptionValues(Problems problems) {
    Duration positive(String option, String text) {
        Duration d = time(option, text);
        if (!d.isPositive()) {
            problems.add(option + " " + text, "must be > 0", "e.g. " + option + " 5s");
            return Duration.ofSeconds(1);
        }
        return d;
    }

    Duration time(String option, String text) {
        try {
            return Durations.parse(text.matches("[\\d.]+") ? text + "s" : text);
        } catch (IllegalArgumentException e) {
            problems.add(
                    option + " " + text, String.valueOf(e.getMessage()), "e.g. " + option + " 10s");
            return Duration.ofSeconds(1);
        }
    }

    long size(String option, String text) {
        try {
            return Math.max(1, Bytes.parse(text).value());
        } catch (IllegalArgumentException e) {
            problems.add(
                    option + " " + text, String.valueOf(e.getMessage()), "e.g. " + option + " 64k");
            return 1;
        }
    }

    /// A share written as `1%` or `0.01`; a mistake goes into the problems.
    double share(String option, String text) {
        try {
            boolean percent = text.endsWith("%");
            double v = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
            double share = percent ? v / 100 : v;
            if (share >= 0 && share <= 1) {
                return share;
            }
            problems.add(option + " " + text, "must be 0…100 %", "e.g. " + option + " 10%");
        } catch (NumberFormatException e) {
            problems.add(option + " " + text, "not a share", "e.g. " + option + " 10%");
        }
        return 1;
    }
}
