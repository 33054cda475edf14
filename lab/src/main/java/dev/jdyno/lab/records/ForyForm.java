package dev.jdyno.lab.records;

import org.apache.fory.Fory;

/// Apache Fory with a registered class, in its format for JVMs. It compiles a serialiser for the
/// class at run time.
final class ForyForm {
    private static final Fory FORY =
            Fory.builder()
                    .withXlang(false)
                    .withCompatible(false)
                    .requireClassRegistration(true)
                    .build();

    static {
        FORY.register(UserRecord.class);
    }

    private ForyForm() {}

    static byte[] encode(UserRecord user) {
        return FORY.serialize(user);
    }

    static UserRecord decode(byte[] encoded) {
        return (UserRecord) FORY.deserialize(encoded);
    }
}
