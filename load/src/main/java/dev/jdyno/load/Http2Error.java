package dev.jdyno.load;

/// Error codes of RST_STREAM and GOAWAY (RFC 9113 §7).
final class Http2Error {
    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;

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

    static String name(int code) {
        return code >= 0 && code < NAMES.length ? NAMES[code] : "error code " + code;
    }
}
