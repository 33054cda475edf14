package dev.jdyno.inside.remote;

import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Converts messages to bytes and back: JSON, with the protocol's version in each. Input from a
/// peer is checked: its length, its version, its form, and each record by its own constructor.
///
/// @param json writes records with secrets masked
public record Wire(JsonMapper json) {
    /// Version of the protocol; both sides must have the same.
    static final int VERSION = 2;

    /// Maximum length of a message. Thread samples, profiles and lines of the largest services take
    /// some hundred kB.
    static final int MAX_BYTES = 8 << 20;

    /// Lowest port that any user may listen on.
    private static final int MIN_PORT = 1024;

    private static final int MAX_PORT = 65_535;

    private static final Map<String, Class<? extends Ask>> ASKS =
            Arrays.stream(Ask.class.getPermittedSubclasses())
                    .map(c -> c.<Ask>asSubclass(Ask.class))
                    .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    /// A message of a coordinator.
    ///
    /// @param id number of the request, repeated in the answer
    private record ToAgent(int version, long id, String ask, JsonNode body) {}

    /// A request that came in.
    record Asked(long id, Ask ask) {}

    /// A message of an agent.
    ///
    /// @param id number of the request that it answers; 0 for a {@link Beat}
    record ToCoordinator(int version, long id, Kind kind, JsonNode body) {}

    enum Kind {
        ANSWER,
        FAILURE,
        /// A moment within a request at which the coordinator reads its own counters.
        MOMENT,
        BEAT
    }

    /// The answer to a launch.
    ///
    /// @param port free port of the agent's host that the command was given
    record Launched(int port) {
        Launched {
            if (port < MIN_PORT || port > MAX_PORT) {
                throw new IllegalArgumentException(port + " is no free port");
            }
        }
    }

    /// The answer to an open, and to a begin.
    ///
    /// @param openedNanos time of the agent's clock from which the seconds of standstills are
    ///   counted
    record Opened(
            long pid,
            boolean attached,
            Machine machine,
            List<String> leftovers,
            List<Warning> doubts,
            long openedNanos) {}

    /// The target's state, which the agent sends twice a second without a request.
    ///
    /// @param standstills the latest standstills of the target
    /// @param unsent messages that the agent could not send
    record Beat(boolean alive, List<Standstill> standstills, long unsent) {
        Beat {
            standstills = List.copyOf(standstills);
        }
    }

    /// The reason why a request has no answer.
    ///
    /// @param unread whether a recording could not be read
    record Failure(UserError.Kind kind, String what, String why, String fix, boolean unread) {
        UserError asError() {
            return new UserError(kind, what, why, fix);
        }
    }

    /// A message that does not belong to this protocol.
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String why) {
            super(why);
        }
    }

    byte[] ask(long id, Ask ask) {
        return json.writeValueAsBytes(
                new ToAgent(VERSION, id, ask.getClass().getSimpleName(), json.valueToTree(ask)));
    }

    Asked readAsk(byte[] message) throws Unreadable {
        ToAgent read = read(message, ToAgent.class);
        requireVersion(read.version());
        Class<? extends Ask> type = ASKS.get(read.ask());
        if (type == null) {
            throw new Unreadable("an unknown ask");
        }
        return new Asked(read.id(), convert(read.body(), type));
    }

    byte[] post(long id, Kind kind, Object body) {
        return json.writeValueAsBytes(new ToCoordinator(VERSION, id, kind, json.valueToTree(body)));
    }

    ToCoordinator readAnswer(byte[] message) throws Unreadable {
        ToCoordinator read = read(message, ToCoordinator.class);
        requireVersion(read.version());
        return read;
    }

    <T> T convert(JsonNode body, Class<T> type) throws Unreadable {
        try {
            T value = json.treeToValue(body, type);
            if (value == null) {
                throw new Unreadable("an empty message");
            }
            return value;
        } catch (JacksonException | IllegalArgumentException | NullPointerException broken) {
            throw new Unreadable(String.valueOf(broken.getMessage()));
        }
    }

    <T> List<T> list(JsonNode body, Class<T> type) throws Unreadable {
        try {
            return json.convertValue(
                    body, json.getTypeFactory().constructCollectionType(List.class, type));
        } catch (JacksonException | IllegalArgumentException | NullPointerException broken) {
            throw new Unreadable(String.valueOf(broken.getMessage()));
        }
    }

    private <T> T read(byte[] message, Class<T> type) throws Unreadable {
        if (message.length > MAX_BYTES) {
            throw new Unreadable("a message of " + message.length + " bytes");
        }
        try {
            T value = json.readValue(message, type);
            if (value == null) {
                throw new Unreadable("an empty message");
            }
            return value;
        } catch (JacksonException | IllegalArgumentException | NullPointerException broken) {
            throw new Unreadable(String.valueOf(broken.getMessage()));
        }
    }

    private static void requireVersion(int version) throws Unreadable {
        if (version != VERSION) {
            throw new Unreadable(
                    "the other side speaks version "
                            + version
                            + " of the protocol, this one "
                            + VERSION);
        }
    }
}
