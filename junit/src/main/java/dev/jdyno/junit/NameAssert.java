package dev.jdyno.junit;

import java.util.List;
import org.opentest4j.AssertionFailedError;

/// Assertions on the name of a bottleneck.
///
/// @param <A> the assertions that it belongs to
public final class NameAssert<A> {
    private final A owner;
    private final String name;
    private final String says;

    NameAssert(A owner, String name, String says) {
        this.owner = owner;
        this.name = name;
        this.says = says;
    }

    /// Fails unless the name is one of these.
    public A isOneOf(String... allowed) {
        return checked("one of " + List.of(allowed), List.of(allowed).contains(name));
    }

    /// Fails unless the name is this one.
    public A is(String expected) {
        return checked(expected, name.equals(expected));
    }

    /// Fails if the name is one of the forbidden names.
    public A isNot(String... forbidden) {
        return checked("none of " + List.of(forbidden), !List.of(forbidden).contains(name));
    }

    private A checked(String expected, boolean good) {
        if (!good) {
            throw new AssertionFailedError(
                    "bottleneck: expected " + expected + ", found " + name + "\n  " + says,
                    expected,
                    name);
        }
        return owner;
    }
}
