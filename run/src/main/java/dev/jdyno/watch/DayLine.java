package dev.jdyno.watch;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.watch.EventDocument;
import dev.jdyno.measure.watch.WatchedMinute;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// A line of a day file: one minute as JSON, values only. Its components are the documented keys
/// (docs/json.md).
record DayLine(
        String schema,
        Instant at,
        double seconds,
        double clockJumpS,
        double stoppedS,
        String service,
        long pid,
        Optional<WatchedMinute.Cpu> cpu,
        Optional<WatchedMinute.Requests> requests,
        Optional<Double> inFlight,
        Optional<WatchedMinute.Gc> gc,
        List<WatchedMinute.PoolFigures> pools,
        int poolsLeftOut,
        WatchedMinute.Dumps dumps,
        Verdict verdict,
        Optional<EventDocument.Room> headroom) {
    static final String SCHEMA = "jdyno/minute/1";

    /// Maximum length of a minute that is believed, in seconds: a year.
    private static final double MAX_S = 366 * 86_400.0;

    /// The first time after those that a day file can have: its name has a year of four digits.
    private static final Instant END_OF_TIMES =
            LocalDate.of(10_000, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);

    private static final int DIGITS = 6;

    static final JsonMapper JSON =
            JsonMapper.builder()
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(Double.class, new Rounded())
                                    .addSerializer(double.class, new Rounded()))
                    .build();

    /// The verdict with the name of its bottleneck.
    record Verdict(String bottleneck, String where, double confidence) {}

    /// Writes a number with six digits; more are noise. A number that is not finite is `null`.
    private static final class Rounded extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator out, SerializationContext context) {
            if (!Double.isFinite(value)) {
                out.writeNull();
                return;
            }
            var rounded = new BigDecimal(value).round(new MathContext(DIGITS));
            out.writeNumber(rounded.doubleValue());
        }
    }

    static String text(WatchedMinute m) {
        return JSON.writeValueAsString(
                new DayLine(
                        SCHEMA,
                        m.at().truncatedTo(ChronoUnit.MILLIS),
                        m.seconds(),
                        m.clockJumpS(),
                        m.stoppedS(),
                        m.service(),
                        m.pid(),
                        m.cpu(),
                        m.requests(),
                        m.inFlight(),
                        m.gc(),
                        m.pools(),
                        m.poolsLeftOut(),
                        m.dumps(),
                        new Verdict(
                                m.verdict().bottleneck().key(),
                                m.verdict().where(),
                                m.verdict().confidence()),
                        m.headroom().map(EventDocument.Room::of)));
    }

    /// The minute of a line; empty if the line is damaged, or if another version wrote it.
    static Optional<WatchedMinute> read(JsonNode line) {
        try {
            DayLine read = JSON.treeToValue(line, DayLine.class);
            return read == null || !SCHEMA.equals(read.schema())
                    ? Optional.empty()
                    : read.minute().filter(DayLine::isPlausible);
        } catch (JacksonException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private Optional<WatchedMinute> minute() {
        if (at == null || service == null || pools == null || dumps == null || verdict == null) {
            return Optional.empty();
        }
        if (pools.size() > WatchedMinute.MAX_POOLS || pools.stream().anyMatch(Objects::isNull)) {
            return Optional.empty();
        }
        return Bottleneck.of(String.valueOf(verdict.bottleneck()))
                .map(name ->
                        new WatchedMinute(
                                at,
                                seconds,
                                clockJumpS,
                                stoppedS,
                                service,
                                pid,
                                cpu,
                                requests,
                                inFlight,
                                gc,
                                pools,
                                poolsLeftOut,
                                dumps,
                                new WatchedMinute.Named(
                                        name,
                                        String.valueOf(verdict.where()),
                                        verdict.confidence()),
                                headroom.flatMap(DayLine::room)));
    }

    /// The value of a first limit; empty if it is damaged.
    static Optional<WatchedMinute.Room> room(EventDocument.Room read) {
        List<Double> ci95 = read.ci95();
        // an end that is not finite was written as null
        if (ci95 == null || ci95.size() != 2 || ci95.stream().anyMatch(Objects::isNull)) {
            return Optional.empty();
        }
        return Stream.of(Headroom.Kind.values())
                .filter(k -> k.key().equals(String.valueOf(read.kind()).toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(known ->
                        new WatchedMinute.Room(
                                known,
                                String.valueOf(read.name()),
                                read.ratio(),
                                read.limitPerS(),
                                new Interval(ci95.getFirst(), ci95.getLast())));
    }

    /// True if sums of its figures are finite and have a meaning.
    private static boolean isPlausible(WatchedMinute m) {
        return isTime(m.at())
                && m.seconds() > 0
                && m.seconds() <= MAX_S
                && isAmount(m.stoppedS())
                && m.cpu()
                        .filter(c -> !isAmount(c.cores()) || !isAmount(c.availableCores()))
                        .isEmpty()
                && m.cpu()
                        .flatMap(WatchedMinute.Cpu::allCores)
                        .filter(all -> !isAmount(all))
                        .isEmpty()
                && m.requests().filter(r -> !isAmount(r.perS())).isEmpty()
                && m.headroom()
                        .filter(h -> !isAmount(h.ratio()) || !isAmount(h.limitPerS()))
                        .isEmpty()
                && m.pools().stream()
                        .flatMap(p -> Stream.of(p.max(), p.inUse(), p.waiting()))
                        .flatMap(Optional::stream)
                        .allMatch(DayLine::isAmount)
                && Stream.of(
                                m.inFlight(),
                                m.requests().flatMap(WatchedMinute.Requests::meanMs),
                                m.requests().flatMap(WatchedMinute.Requests::cpuMs),
                                m.gc().map(WatchedMinute.Gc::pauseShare),
                                Optional.of(m.verdict().confidence()))
                        .flatMap(Optional::stream)
                        .allMatch(DayLine::isAmount);
    }

    /// True for a time of the years 1970 to 9999. Others cannot be those of a watch, and sums of
    /// the most distant ones overflow.
    static boolean isTime(Instant at) {
        return !at.isBefore(Instant.EPOCH) && at.isBefore(END_OF_TIMES);
    }

    static boolean isAmount(double value) {
        return value >= 0 && value <= 1e15;
    }
}
