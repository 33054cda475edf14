package dev.jdyno.load.grpc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.TimestampProto;

/// What `protoc` would make of
///
/// ```proto
/// syntax = "proto3"; package shop; import "google/protobuf/timestamp.proto";
/// enum Color { RED = 0; GREEN = 1; }
/// message PriceRequest {
///   int32 id = 1; string name = 2; repeated int64 items = 3; Color color = 4;
///   google.protobuf.Timestamp at = 5; map<string, int32> counts = 6; uint64 big_one = 7;
///   bytes raw = 8; PriceRequest inner = 9; bool flag = 10;
/// }
/// message PriceReply { int32 id = 1; double price = 2; string note = 3; }
/// service Prices {
///   rpc price(PriceRequest) returns (PriceReply);
///   rpc watch(PriceRequest) returns (stream PriceReply);
///   rpc put(stream PriceRequest) returns (PriceReply);
/// }
/// ```
public final class Shop {
    public static final String PRICE = "/shop.Prices/price";
    static final FileDescriptorProto FILE = file();
    public static final FileDescriptorSet SET =
            FileDescriptorSet.newBuilder()
                    .addFile(TimestampProto.getDescriptor().toProto())
                    .addFile(FILE)
                    .build();

    private Shop() {}

    static Schema schema() {
        return Schema.of(SET.toByteArray());
    }

    private static FileDescriptorProto file() {
        return FileDescriptorProto.newBuilder()
                .setName("shop.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addDependency("google/protobuf/timestamp.proto")
                .addEnumType(
                        EnumDescriptorProto.newBuilder()
                                .setName("Color")
                                .addValue(constant("RED", 0))
                                .addValue(constant("GREEN", 1)))
                .addMessageType(request())
                .addMessageType(
                        DescriptorProto.newBuilder()
                                .setName("PriceReply")
                                .addField(field("id", 1, FieldDescriptorProto.Type.TYPE_INT32))
                                .addField(field("price", 2, FieldDescriptorProto.Type.TYPE_DOUBLE))
                                .addField(field("note", 3, FieldDescriptorProto.Type.TYPE_STRING)))
                .addService(
                        ServiceDescriptorProto.newBuilder()
                                .setName("Prices")
                                .addMethod(method("price"))
                                .addMethod(method("watch").setServerStreaming(true))
                                .addMethod(method("put").setClientStreaming(true)))
                .build();
    }

    private static DescriptorProto request() {
        return DescriptorProto.newBuilder()
                .setName("PriceRequest")
                .addField(field("id", 1, FieldDescriptorProto.Type.TYPE_INT32))
                .addField(field("name", 2, FieldDescriptorProto.Type.TYPE_STRING))
                .addField(
                        field("items", 3, FieldDescriptorProto.Type.TYPE_INT64)
                                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
                .addField(
                        field("color", 4, FieldDescriptorProto.Type.TYPE_ENUM)
                                .setTypeName(".shop.Color"))
                .addField(
                        field("at", 5, FieldDescriptorProto.Type.TYPE_MESSAGE)
                                .setTypeName(".google.protobuf.Timestamp"))
                .addField(
                        field("counts", 6, FieldDescriptorProto.Type.TYPE_MESSAGE)
                                .setTypeName(".shop.PriceRequest.CountsEntry")
                                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
                .addField(field("big_one", 7, FieldDescriptorProto.Type.TYPE_UINT64))
                .addField(field("raw", 8, FieldDescriptorProto.Type.TYPE_BYTES))
                .addField(
                        field("inner", 9, FieldDescriptorProto.Type.TYPE_MESSAGE)
                                .setTypeName(".shop.PriceRequest"))
                .addField(field("flag", 10, FieldDescriptorProto.Type.TYPE_BOOL))
                .addNestedType(
                        DescriptorProto.newBuilder()
                                .setName("CountsEntry")
                                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                                .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
                                .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_INT32)))
                .build();
    }

    private static EnumValueDescriptorProto constant(String name, int number) {
        return EnumValueDescriptorProto.newBuilder().setName(name).setNumber(number).build();
    }

    private static FieldDescriptorProto.Builder field(
            String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .setType(type);
    }

    private static MethodDescriptorProto.Builder method(String name) {
        return MethodDescriptorProto.newBuilder()
                .setName(name)
                .setInputType(".shop.PriceRequest")
                .setOutputType(".shop.PriceReply");
    }
}
