package dev.jdyno.lab.records;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A shop's data on a user. It is a class with fields, like such objects when the experiment was
/// published: Java serialisation treats records differently.
final class UserRecord implements Serializable {
    private static final long serialVersionUID = 1L;

    final long id;
    final String name;
    final String email;
    final String city;
    final long registeredMillis;
    final int level;
    final double credit;
    final boolean verified;

    /// An ArrayList, because it is serialisable.
    final ArrayList<String> tags;

    UserRecord(
            long id,
            String name,
            String email,
            String city,
            long registeredMillis,
            int level,
            double credit,
            boolean verified,
            List<String> tags) {
        this.id = id;
        this.name = name;
        this.email = email;
        this.city = city;
        this.registeredMillis = registeredMillis;
        this.level = level;
        this.credit = credit;
        this.verified = verified;
        this.tags = new ArrayList<>(tags);
    }

    /// Returns a generated user; the same number gives the same user.
    static UserRecord of(long id) {
        return new UserRecord(
                id,
                "user number " + id,
                "user" + id + "@example.org",
                id % 3 == 0 ? "杭州" : "Hangzhou",
                1_262_300_000_000L + id * 86_400,
                (int) (id % 20),
                id * 0.25,
                id % 2 == 0,
                List.of("buyer", "tag" + id % 100));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UserRecord user && fields().equals(user.fields());
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, name);
    }

    private List<Object> fields() {
        return List.of(id, name, email, city, registeredMillis, level, credit, verified, tags);
    }
}
