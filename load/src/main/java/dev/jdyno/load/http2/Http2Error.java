package dev.jdyno.load.http2;

/// Error codes of RST_STREAM and GOAWAY (RFC 9113 §7).
public final class Http2Error {
    public static final int NO_ERROR = 0;
    public static final int PROTOCOL_ERROR = 1;
    public static final int REFUSED_STREAM = 7;
    public static final int CANCEL = 8;

    private static final String[] NAMES = {
        "NO_ERROR",
        "PROTOCOL_ERROR",
        "INTERNAL_ERROR",
        "FLOW_CONTROL_ERROR",
        "SETTINGS_TIMEOUT",
        "STREAM_CLOSED",
        "FRAME_SIZE_ERROR",
        "REFUSED_STREAM",
        "CANCEL",
        "COMPRESSION_ERROR",
        "CONNECT_ERROR",
        "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY",
        "HTTP_1_1_REQUIRED"
    };

    private Http2Error() {}

    public static String name(int code) {
        return code >= 0 && code < NAMES.length ? NAMES[code] : "error code " + code;
    }
}
