package dev.jdyno.cluster;

/// The group's own messages. Their numbers are lower than those of the duties' messages.
final class OwnKinds {
    private static final int MAX_FACTS = 64 << 10;
    private static final int MAX_WORD = 100;

    /// A beat: the founder is alive. It has the time of the founder's clock.
    static final Kind<long[]> BEAT = Numbers.kind(1, "beat", 1);

    /// An echo: a member has read a beat. It has the beat's time, the time of its arrival, and the
    /// time of the echo.
    static final Kind<long[]> ECHO = Numbers.kind(2, "echo", 3);

    /// A member has joined.
    static final Kind<Member> HERE = Kind.json(3, MAX_FACTS, Member.class);

    /// The founder has ended the group.
    static final Kind<String> END = new Kind<>(4, "end", MAX_WORD, Payload.TEXT);

    /// A member ends its part and reports why; the answer is empty.
    static final Kind.Call<Refusal, String> LEAVING =
            new Kind.Call<>(
                    Kind.json(5, MAX_FACTS, Refusal.class),
                    new Kind<>(6, "left", MAX_WORD, Payload.TEXT));

    private OwnKinds() {}
}
