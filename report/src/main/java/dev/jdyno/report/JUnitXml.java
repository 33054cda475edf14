package dev.jdyno.report;

import dev.jdyno.measure.text.Printable;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// A suite of test cases in JUnit's XML, which CI servers read.
///
/// @param className class name of all cases; CI servers group the cases by it
/// @param seconds duration of the whole suite
record JUnitXml(String name, String className, double seconds, List<Case> cases) {
    JUnitXml {
        cases = List.copyOf(cases);
    }

    record Case(String name, Ending ending) {}

    /// The result of a case.
    sealed interface Ending {}

    record Passed() implements Ending {}

    /// @param lines details below the message, each with its line end
    record Failed(String message, String lines) implements Ending {}

    /// The case was not judged.
    record Skipped(Optional<String> why) implements Ending {}

    String text() {
        var text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", plain(name));
            xml.writeAttribute("tests", Integer.toString(cases.size()));
            xml.writeAttribute("failures", Long.toString(count(Failed.class)));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute("skipped", Long.toString(count(Skipped.class)));
            xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", seconds));
            for (Case each : cases) {
                write(xml, each);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException never) {
            throw new IllegalStateException("a text takes any XML", never);
        }
        return text.toString();
    }

    private void write(XMLStreamWriter xml, Case each) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", plain(className));
        xml.writeAttribute("name", each.name());
        switch (each.ending()) {
            case Passed() -> {}
            case Failed(String message, String lines) -> {
                xml.writeStartElement("failure");
                xml.writeAttribute("message", plain(message));
                xml.writeCharacters(lines);
                xml.writeEndElement();
            }
            case Skipped(Optional<String> why) -> {
                xml.writeEmptyElement("skipped");
                if (why.isPresent()) {
                    xml.writeAttribute("message", plain(why.get()));
                }
            }
        }
        xml.writeEndElement();
    }

    private long count(Class<? extends Ending> kind) {
        return cases.stream().map(Case::ending).filter(kind::isInstance).count();
    }

    /// A text without control characters, which XML does not allow.
    static String plain(String text) {
        return Printable.line(text);
    }
}
