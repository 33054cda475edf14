package dev.jdyno.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/// The handlers of a process for the messages that reach it, by kind. They must be complete before
/// the process joins or founds a group. A message of another kind is refused.
public final class Handlers {
    private final Map<Integer, Handler<?>> byKind = new HashMap<>();

    /// Answers a question; an exception is the refusal.
    @FunctionalInterface
    public interface Answering<Q, A> {
        A answer(Member from, Q question) throws Exception;
    }

    /// @param on executor of the handler; a task that waits must not run on the group's own threads
    record Handler<T>(Kind<T> kind, Executor on, Work<T> work) {}

    interface Work<T> {
        /// Returns the answer's payload; empty if there is no answer.
        Optional<byte[]> on(Member from, T message) throws Exception;
    }

    /// @param on executor of the handler; it runs one message after the other if their order
    ///   matters
    public <T> Handlers on(Kind<T> kind, Executor on, BiConsumer<Member, T> handler) {
        return add(
                kind,
                on,
                (from, message) -> {
                    handler.accept(from, message);
                    return Optional.empty();
                });
    }

    /// @param on executor of the handler; it runs one question after the other if their order
    ///   matters
    public <Q, A> Handlers answer(Kind.Call<Q, A> call, Executor on, Answering<Q, A> answering) {
        return add(
                call.question(),
                on,
                (from, question) ->
                        Optional.of(
                                call.answer().payload().write(answering.answer(from, question))));
    }

    private <T> Handlers add(Kind<T> kind, Executor on, Work<T> work) {
        if (byKind.put(kind.id(), new Handler<>(kind, on, work)) != null) {
            throw new IllegalArgumentException("two handlers for message kind " + kind.id());
        }
        return this;
    }

    Optional<Handler<?>> of(int kind) {
        return Optional.ofNullable(byKind.get(kind));
    }
}
