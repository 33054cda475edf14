package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import java.util.List;
import java.util.Optional;

/// What a recommendation changes, as it stands in JSON: `kind` says which other keys there are.
/// Secrets are masked in every document.
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        property = "kind",
        visible = true,
        defaultImpl = ChangeForm.Unknown.class)
public sealed interface ChangeForm {
    @JsonTypeName("jvm-flag")
    record JvmFlag(String name, Optional<String> value) implements ChangeForm {}

    @JsonTypeName("without-jvm-flag")
    record WithoutJvmFlag(String name) implements ChangeForm {}

    @JsonTypeName("system-property")
    record SystemProperty(String name, String value) implements ChangeForm {}

    /// With neither `to` nor `times` it is more than now.
    @JsonTypeName("system-setting")
    record SystemSetting(
            String name,
            @JsonInclude(Include.NON_ABSENT) Optional<String> to,
            @JsonInclude(Include.NON_ABSENT) Optional<Double> times)
            implements ChangeForm {}

    @JsonTypeName("logging")
    record LoggingEdit(Optional<String> file, String part, String edit) implements ChangeForm {}

    @JsonTypeName("environment")
    record EnvironmentVariable(String name, String value) implements ChangeForm {}

    @JsonTypeName("argument")
    record ProgramArgument(String template, String value) implements ChangeForm {}

    @JsonTypeName("file-value")
    record FileValue(String template, String name, String value) implements ChangeForm {}

    /// With neither `to` nor `times` it is more than now.
    @JsonTypeName("pool-size")
    record PoolSize(
            String name,
            @JsonInclude(Include.NON_ABSENT) Optional<String> to,
            @JsonInclude(Include.NON_ABSENT) Optional<Double> times)
            implements ChangeForm {}

    @JsonTypeName("concurrency")
    record Concurrency(int inFlight) implements ChangeForm {}

    @JsonTypeName("cores")
    record Cores(double from, double to) implements ChangeForm {}

    @JsonTypeName("code")
    record Code() implements ChangeForm {}

    @JsonTypeName("outside")
    record Outside() implements ChangeForm {}

    /// A kind of a later version.
    record Unknown(String kind) implements ChangeForm {}

    static List<ChangeForm> of(List<? extends Change> changes) {
        return changes.stream().map(ChangeForm::of).toList();
    }

    static ChangeForm of(Change change) {
        return switch (change) {
            case Change.JvmFlag c -> new JvmFlag(masked(c.name()), masked(c.value()));
            case Change.WithoutJvmFlag c -> new WithoutJvmFlag(masked(c.name()));
            case Change.SystemProperty c -> new SystemProperty(masked(c.name()), masked(c.value()));
            case Change.SystemSetting c ->
                    new SystemSetting(masked(c.name()), exactly(c.to()), times(c.to()));
            case Change.LoggingEdit c ->
                    new LoggingEdit(masked(c.file()), masked(c.part()), masked(c.edit()));
            case Change.EnvironmentVariable c ->
                    new EnvironmentVariable(masked(c.name()), masked(c.value()));
            case Change.ProgramArgument c ->
                    new ProgramArgument(masked(c.template()), masked(c.value()));
            case Change.FileValue c ->
                    new FileValue(masked(c.template()), masked(c.name()), masked(c.value()));
            case Change.PoolSize c ->
                    new PoolSize(masked(c.pool()), exactly(c.to()), times(c.to()));
            case Change.Concurrency c -> new Concurrency(c.inFlight());
            case Change.Cores c -> new Cores(c.from(), c.to());
            case Change.Code _ -> new Code();
            case Change.Outside _ -> new Outside();
        };
    }

    /// Kinds that this jdyno does not know are left out: it can neither show nor apply them.
    static List<Change> read(List<ChangeForm> changes) {
        return changes.stream().flatMap(c -> read(c).stream()).toList();
    }

    private static Optional<Change> read(ChangeForm change) {
        return switch (change) {
            case JvmFlag c -> Optional.of(new Change.JvmFlag(c.name, c.value));
            case WithoutJvmFlag c -> Optional.of(new Change.WithoutJvmFlag(c.name));
            case SystemProperty c -> Optional.of(new Change.SystemProperty(c.name, c.value));
            case SystemSetting c ->
                    Optional.of(new Change.SystemSetting(c.name, amount(c.to, c.times)));
            case LoggingEdit c -> Optional.of(new Change.LoggingEdit(c.file, c.part, c.edit));
            case EnvironmentVariable c ->
                    Optional.of(new Change.EnvironmentVariable(c.name, c.value));
            case ProgramArgument c -> Optional.of(new Change.ProgramArgument(c.template, c.value));
            case FileValue c -> Optional.of(new Change.FileValue(c.template, c.name, c.value));
            case PoolSize c -> Optional.of(new Change.PoolSize(c.name, amount(c.to, c.times)));
            case Concurrency c -> Optional.of(new Change.Concurrency(c.inFlight));
            case Cores c -> Optional.of(new Change.Cores(c.from, c.to));
            case Code _ -> Optional.of(new Change.Code());
            case Outside _ -> Optional.of(new Change.Outside());
            case Unknown _ -> Optional.empty();
        };
    }

    private static String masked(String text) {
        return Secrets.text(text);
    }

    private static Optional<String> masked(Optional<String> text) {
        return text.map(Secrets::text);
    }

    private static Optional<String> exactly(Amount amount) {
        return amount instanceof Amount.Exactly a
                ? Optional.of(masked(a.value()))
                : Optional.empty();
    }

    private static Optional<Double> times(Amount amount) {
        return amount instanceof Amount.Times a ? Optional.of(a.factor()) : Optional.empty();
    }

    private static Amount amount(Optional<String> exactly, Optional<Double> times) {
        return exactly.<Amount>map(Amount.Exactly::new)
                .or(() -> times.map(Amount.Times::new))
                .orElseGet(Amount.Larger::new);
    }
}
