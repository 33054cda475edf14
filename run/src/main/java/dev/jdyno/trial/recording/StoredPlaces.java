package dev.jdyno.trial.recording;

import dev.jdyno.inside.RunningCode;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.util.StdConverter;

/// The form of values in kept recordings and in `result.json`: places as text, and texts with their
/// secrets masked.
public final class StoredPlaces {
    private StoredPlaces() {}

    /// The module that registers these forms.
    public static SimpleModule module() {
        return new SimpleModule()
                .addSerializer(String.class, new Masked())
                .setMixInAnnotation(ThreadSamples.Busy.class, BusyAsText.class)
                .setMixInAnnotation(Calls.class, CallsAsText.class)
                .setMixInAnnotation(Breakdown.Spot.class, SpotAsText.class)
                .setMixInAnnotation(LogPart.class, PartAsText.class)
                .setMixInAnnotation(Unseen.class, UnseenAsText.class)
                .setMixInAnnotation(RunningCode.Share.class, ShareAsText.class);
    }

    private static final class Masked extends ValueSerializer<String> {
        @Override
        public void serialize(String text, JsonGenerator json, SerializationContext context) {
            json.writeString(Secrets.text(text));
        }
    }

    /// The stored form of [ThreadSamples.Busy].
    public record StoredBusy(
            Cause cause,
            String where,
            double threads,
            Optional<String> holder,
            Optional<CallSites> sites,
            List<SourceLine> holderStack) {}

    private record StoredCalls(
            String where, double connections, double awaiting, int opened, boolean database) {}

    private record StoredShare(String where, double share) {}

    private record StoredSpot(Cause cause, String where, double ms) {}

    @JsonSerialize(converter = WriteBusy.class)
    @JsonDeserialize(converter = ReadBusy.class)
    private interface BusyAsText {}

    @JsonSerialize(converter = WriteCalls.class)
    @JsonDeserialize(converter = ReadCalls.class)
    private interface CallsAsText {}

    @JsonSerialize(converter = WritePart.class)
    @JsonDeserialize(converter = ReadPart.class)
    private interface PartAsText {}

    @JsonSerialize(converter = WriteUnseen.class)
    @JsonDeserialize(converter = ReadUnseen.class)
    private interface UnseenAsText {}

    @JsonSerialize(converter = WriteShare.class)
    @JsonDeserialize(converter = ReadShare.class)
    private interface ShareAsText {}

    @JsonSerialize(converter = WriteSpot.class)
    @JsonDeserialize(converter = ReadSpot.class)
    private interface SpotAsText {}

    private static final class WritePart extends StdConverter<LogPart, String> {
        @Override
        public String convert(LogPart part) {
            return part.key();
        }
    }

    private static final class ReadPart extends StdConverter<String, LogPart> {
        @Override
        public LogPart convert(String key) {
            return LogPart.of(key)
                    .orElseThrow(
                            () -> new IllegalArgumentException("no part of a logging: " + key));
        }
    }

    private static final class WriteBusy extends StdConverter<ThreadSamples.Busy, StoredBusy> {
        @Override
        public StoredBusy convert(ThreadSamples.Busy busy) {
            return new StoredBusy(
                    busy.cause(),
                    PlaceText.of(busy.place()),
                    busy.threads(),
                    busy.holder().map(PlaceText::of),
                    busy.sites(),
                    busy.holderStack());
        }
    }

    private static final class ReadBusy extends StdConverter<StoredBusy, ThreadSamples.Busy> {
        @Override
        public ThreadSamples.Busy convert(StoredBusy stored) {
            return new ThreadSamples.Busy(
                    stored.cause(),
                    PlaceText.place(stored.cause(), stored.where()),
                    stored.threads(),
                    stored.holder().flatMap(PlaceText::holder),
                    stored.sites(),
                    stored.holderStack());
        }
    }

    private static final class WriteCalls extends StdConverter<Calls, StoredCalls> {
        @Override
        public StoredCalls convert(Calls calls) {
            return new StoredCalls(
                    PlaceText.of(calls.peer()),
                    calls.connections(),
                    calls.awaiting(),
                    calls.opened(),
                    calls.database());
        }
    }

    private static final class ReadCalls extends StdConverter<StoredCalls, Calls> {
        @Override
        public Calls convert(StoredCalls stored) {
            return new Calls(
                    PlaceText.peer(stored.where()),
                    stored.connections(),
                    stored.awaiting(),
                    stored.opened(),
                    stored.database());
        }
    }

    private static final class WriteUnseen extends StdConverter<Unseen, String> {
        @Override
        public String convert(Unseen unseen) {
            return unseen.text();
        }
    }

    private static final class ReadUnseen extends StdConverter<String, Unseen> {
        @Override
        public Unseen convert(String text) {
            return Unseen.stored(text);
        }
    }

    private static final class WriteShare extends StdConverter<RunningCode.Share, StoredShare> {
        @Override
        public StoredShare convert(RunningCode.Share share) {
            return new StoredShare(PlaceText.of(share.place()), share.share());
        }
    }

    private static final class ReadShare extends StdConverter<StoredShare, RunningCode.Share> {
        @Override
        public RunningCode.Share convert(StoredShare stored) {
            return new RunningCode.Share(
                    PlaceText.place(Cause.CPU, stored.where()), stored.share());
        }
    }

    private static final class WriteSpot extends StdConverter<Breakdown.Spot, StoredSpot> {
        @Override
        public StoredSpot convert(Breakdown.Spot spot) {
            return new StoredSpot(spot.cause(), PlaceText.of(spot.place()), spot.ms());
        }
    }

    private static final class ReadSpot extends StdConverter<StoredSpot, Breakdown.Spot> {
        @Override
        public Breakdown.Spot convert(StoredSpot stored) {
            return new Breakdown.Spot(
                    stored.cause(), PlaceText.place(stored.cause(), stored.where()), stored.ms());
        }
    }
}
