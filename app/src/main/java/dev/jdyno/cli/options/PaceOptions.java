package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.GoalText;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options of `compare`, `tune` and `guard` that set how long they measure, and which
/// difference matters.
public final class PaceOptions {
    private static final String BLOCK = "--block";
    private static final String MIN_EFFECT = "--min-effect";

    /// A time that an option sets.
    ///
    /// @param preset value if the option is not given
    /// @param least minimum time that allows a decision
    public record Time(Duration preset, Duration least) {
        Duration of(String option, Optional<String> given, Problems problems) {
            return OptionTexts.time(option, given.orElse(null), preset, least, problems);
        }
    }

    private final Time budget;
    private final Time block;
    private final Time warmup;

    @Mixin private Budget max;
    @Mixin private Warmup longest;

    @Option(
            names = BLOCK,
            paramLabel = "TIME",
            description =
                    "Time for which one side is measured before the other's turn (default"
                            + " ${DEFAULT-VALUE}).")
    private String blockText;

    @Option(
            names = MIN_EFFECT,
            paramLabel = "SHARE",
            description = "Smallest change that matters (default ${DEFAULT-VALUE}).")
    private String minEffect;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    /// @param budgetPreset preset budget in the words of the help
    /// @param effectPreset preset smallest effect in the words of the help
    public PaceOptions(
            Time budget, Time block, Time warmup, String budgetPreset, String effectPreset) {
        this.budget = budget;
        this.block = block;
        this.warmup = warmup;
        max = new Budget(budgetPreset);
        longest = new Warmup(OptionTexts.typed(warmup.preset()) + " for each start");
        blockText = OptionTexts.typed(block.preset());
        minEffect = effectPreset;
    }

    public Duration budget(Problems problems) {
        return budget.of("--budget", max.given(), problems);
    }

    public boolean hasBudget() {
        return max.given().isPresent();
    }

    public Duration block(Problems problems) {
        return block.of(BLOCK, given(BLOCK, blockText), problems);
    }

    public Duration warmup(Problems problems) {
        return warmup.of("--warmup", longest.given(), problems);
    }

    /// The smallest effect as a share; empty if it is not given.
    public Optional<Double> minEffect(Problems problems) {
        return OptionTexts.optional(
                MIN_EFFECT,
                given(MIN_EFFECT, minEffect).orElse(null),
                GoalText::precision,
                problems);
    }

    private Optional<String> given(String option, String text) {
        return OptionTexts.given(verb, option, text);
    }

    /// `--budget`: the time that a verb may take.
    public static final class Budget {
        @Option(
                names = "--budget",
                paramLabel = "TIME",
                description = "Time it may take (default ${DEFAULT-VALUE}).")
        private String budget;

        @Spec(Spec.Target.MIXEE)
        private CommandSpec verb;

        /// @param preset default in the help, such as `8m`
        public Budget(String preset) {
            budget = preset;
        }

        /// The text of the option, if it is given.
        public Optional<String> given() {
            return OptionTexts.given(verb, "--budget", budget);
        }
    }

    /// `--warmup`: the longest warm-up of a service, for the verbs that measure a warm one.
    public static final class Warmup {
        @Option(
                names = "--warmup",
                paramLabel = "TIME",
                description = {
                    "Longest warm-up (default ${DEFAULT-VALUE});",
                    "it ends as soon as the service is steady."
                })
        private String warmup;

        @Spec(Spec.Target.MIXEE)
        private CommandSpec verb;

        /// @param preset default in the help, such as `90s`
        public Warmup(String preset) {
            warmup = preset;
        }

        /// The text of the option, if it is given.
        public Optional<String> given() {
            return OptionTexts.given(verb, "--warmup", warmup);
        }
    }
}
