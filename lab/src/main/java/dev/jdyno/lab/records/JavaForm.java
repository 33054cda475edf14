package dev.jdyno.lab.records;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;

/// Java serialisation; it reads only bytes that this process wrote.
final class JavaForm {
    private JavaForm() {}

    static byte[] encode(UserRecord user) throws IOException {
        return encodeAll(List.of(user));
    }

    static UserRecord decode(byte[] encoded) throws IOException {
        return decodeAll(encoded).get(0);
    }

    static byte[] encodeAll(List<UserRecord> users) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeInt(users.size());
            for (UserRecord user : users) {
                out.writeObject(user);
            }
        }
        return bytes.toByteArray();
    }

    static List<UserRecord> decodeAll(byte[] encoded) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(encoded))) {
            int count = in.readInt();
            List<UserRecord> users = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                users.add((UserRecord) in.readObject());
            }
            return users;
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the record is missing", e);
        }
    }
}
