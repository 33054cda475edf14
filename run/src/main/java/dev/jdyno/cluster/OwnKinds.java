package dev.jdyno.cluster;

/// The group's own messages, below those of its duties.
final class OwnKinds {
    private static final int MAX_FACTS = 64 << 10;
    private static final int MAX_WORD = 100;

    /// The founder is alive: the time on its clock.
    static final Kind<long[]> BEAT = Numbers.kind(1, "beat", 1);

    /// A member has read a beat: that beat, the time when it came, and the time of this echo.
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
