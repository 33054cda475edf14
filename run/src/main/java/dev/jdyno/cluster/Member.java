package dev.jdyno.cluster;

/// A process of the group, under the founder's name for it.
///
/// @param name address of the member as the user gave it, such as `lg1:4711`
public record Member(String name, Facts facts) {
    private static final int MAX_NAME = 300;

    public Member {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException("a member's name");
        }
    }
}
