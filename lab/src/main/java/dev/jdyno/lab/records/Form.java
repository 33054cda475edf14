package dev.jdyno.lab.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A way to serialise records.
enum Form {
    /// Java serialisation with one stream per record, as for cached values or messages.
    JAVA {
        @Override
        List<byte[]> encode(List<UserRecord> users) throws IOException {
            return each(users, JavaForm::encode);
        }

        @Override
        List<UserRecord> decode(List<byte[]> encoded) throws IOException {
            return each(encoded, JavaForm::decode);
        }
    },
    /// Java serialisation with one stream for all records, which describes each class once.
    JAVA_STREAM {
        @Override
        List<byte[]> encode(List<UserRecord> users) throws IOException {
            return List.of(JavaForm.encodeAll(users));
        }

        @Override
        List<UserRecord> decode(List<byte[]> encoded) throws IOException {
            return JavaForm.decodeAll(encoded.get(0));
        }
    },
    PROTOBUF {
        @Override
        List<byte[]> encode(List<UserRecord> users) throws IOException {
            return each(users, ProtobufForm::encode);
        }

        @Override
        List<UserRecord> decode(List<byte[]> encoded) throws IOException {
            return each(encoded, ProtobufForm::decode);
        }
    },
    KRYO {
        @Override
        List<byte[]> encode(List<UserRecord> users) throws IOException {
            return each(users, KryoForm::encode);
        }

        @Override
        List<UserRecord> decode(List<byte[]> encoded) throws IOException {
            return each(encoded, KryoForm::decode);
        }
    },
    FORY {
        @Override
        List<byte[]> encode(List<UserRecord> users) throws IOException {
            return each(users, ForyForm::encode);
        }

        @Override
        List<UserRecord> decode(List<byte[]> encoded) throws IOException {
            return each(encoded, ForyForm::decode);
        }
    };

    abstract List<byte[]> encode(List<UserRecord> users) throws IOException;

    abstract List<UserRecord> decode(List<byte[]> encoded) throws IOException;

    /// Converts one record to or from bytes.
    @FunctionalInterface
    private interface Step<A, B> {
        B apply(A from) throws IOException;
    }

    private static <A, B> List<B> each(List<A> all, Step<A, B> step) throws IOException {
        List<B> done = new ArrayList<>(all.size());
        for (A one : all) {
            done.add(step.apply(one));
        }
        return done;
    }
}
