package dev.jdyno.foreign;

import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// XML from an untrusted source. The parser of the JDK reads it without document types and
/// entities, and loads no other file.
public final class ForeignXml {
    private static final int HEAD_BYTES = 200;

    // the encoding in the XML declaration: <?xml version="1.0" encoding="ISO-8859-1"?>
    private static final Pattern ENCODING =
            Pattern.compile("<\\?xml[^>]{0,100}?\\sencoding\\s*=\\s*[\"']([A-Za-z][\\w.-]*)[\"']");

    private ForeignXml() {}

    /// Receives the events of a document.
    public interface Taker {
        void take(XMLStreamReader reader) throws XMLStreamException;
    }

    /// @throws Malformed if the content is not XML, or larger than {@link ForeignText#MAX_BYTES}
    public static void read(byte[] content, Taker taker) throws Malformed {
        ForeignText.requireUsual(content);
        // decoded here, because the parser writes a line to standard error if bytes are not text
        var text = new StringReader(text(content));
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(text);
            try {
                taker.take(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException refused) {
            var at = refused.getLocation();
            throw Malformed.at(
                    at == null || at.getLineNumber() < 1
                            ? OptionalInt.empty()
                            : OptionalInt.of(at.getLineNumber()),
                    "no XML",
                    Optional.ofNullable(refused.getMessage()),
                    refused);
        } catch (RuntimeException refused) {
            // the JDK's parser throws these for some encodings and its own limits
            throw Malformed.at(
                    OptionalInt.empty(),
                    "no XML",
                    Optional.ofNullable(refused.getMessage()),
                    refused);
        }
    }

    /// The text that {@link #read} parses.
    public static String text(byte[] content) throws Malformed {
        String head =
                new String(
                        content,
                        0,
                        Math.min(content.length, HEAD_BYTES),
                        StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(head);
        if (!declared.lookingAt() || declared.group(1).equalsIgnoreCase("UTF-8")) {
            return ForeignText.decode(content);
        }
        try {
            return ForeignText.decode(content, Charset.forName(declared.group(1)));
        } catch (IllegalArgumentException unknown) {
            throw Malformed.at(
                    OptionalInt.of(1), "an encoding that is not known", Optional.empty(), unknown);
        }
    }

    private static XMLInputFactory factory() {
        // The JDK's own factory. The usual method would take a factory that a property or a jar
        // names.
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        return factory;
    }
}
