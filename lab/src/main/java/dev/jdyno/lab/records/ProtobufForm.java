package dev.jdyno.lab.records;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The code that protoc would generate for this message, written by hand so that the build needs no
/// protoc:
///
/// ```
/// message User {
///   int64 id = 1; string name = 2; string email = 3; string city = 4; int64 registered = 5;
///   int32 level = 6; double credit = 7; bool verified = 8; repeated string tags = 9;
/// }
/// ```
final class ProtobufForm {
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final int EMAIL = 3;
    private static final int CITY = 4;
    private static final int REGISTERED = 5;
    private static final int LEVEL = 6;
    private static final int CREDIT = 7;
    private static final int VERIFIED = 8;
    private static final int TAGS = 9;

    /// Number of low bits of a tag that hold the wire type; the bits above are the field's number.
    private static final int WIRE_BITS = 3;

    private ProtobufForm() {}

    static byte[] encode(UserRecord user) throws IOException {
        byte[] bytes = new byte[size(user)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeInt64(ID, user.id);
        out.writeString(NAME, user.name);
        out.writeString(EMAIL, user.email);
        out.writeString(CITY, user.city);
        out.writeInt64(REGISTERED, user.registeredMillis);
        out.writeInt32(LEVEL, user.level);
        out.writeDouble(CREDIT, user.credit);
        out.writeBool(VERIFIED, user.verified);
        for (String tag : user.tags) {
            out.writeString(TAGS, tag);
        }
        out.checkNoSpaceLeft();
        return bytes;
    }

    private static int size(UserRecord user) {
        int size =
                CodedOutputStream.computeInt64Size(ID, user.id)
                        + CodedOutputStream.computeStringSize(NAME, user.name)
                        + CodedOutputStream.computeStringSize(EMAIL, user.email)
                        + CodedOutputStream.computeStringSize(CITY, user.city)
                        + CodedOutputStream.computeInt64Size(REGISTERED, user.registeredMillis)
                        + CodedOutputStream.computeInt32Size(LEVEL, user.level)
                        + CodedOutputStream.computeDoubleSize(CREDIT, user.credit)
                        + CodedOutputStream.computeBoolSize(VERIFIED, user.verified);
        for (String tag : user.tags) {
            size += CodedOutputStream.computeStringSize(TAGS, tag);
        }
        return size;
    }

    static UserRecord decode(byte[] bytes) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        long id = 0;
        String name = "";
        String email = "";
        String city = "";
        long registered = 0;
        int level = 0;
        double credit = 0;
        boolean verified = false;
        List<String> tags = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> WIRE_BITS) {
                case ID -> id = in.readInt64();
                case NAME -> name = in.readStringRequireUtf8();
                case EMAIL -> email = in.readStringRequireUtf8();
                case CITY -> city = in.readStringRequireUtf8();
                case REGISTERED -> registered = in.readInt64();
                case LEVEL -> level = in.readInt32();
                case CREDIT -> credit = in.readDouble();
                case VERIFIED -> verified = in.readBool();
                case TAGS -> tags.add(in.readStringRequireUtf8());
                default -> in.skipField(tag);
            }
        }
        return new UserRecord(id, name, email, city, registered, level, credit, verified, tags);
    }
}
