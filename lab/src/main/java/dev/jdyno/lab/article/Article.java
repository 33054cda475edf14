package dev.jdyno.lab.article;

import java.util.ArrayList;
import java.util.List;

/// An article, which the service reads by its key and shows.
///
/// @param sections the sections with their texts
public record Article(String id, String title, List<Section> sections) {
    /// A section of an article.
    public record Section(String heading, List<String> paragraphs) {}

    private static final int SECTIONS = 8;
    private static final int PARAGRAPHS = 6;
    private static final int WORDS = 40;

    /// Returns an article with generated text; the same number gives the same article.
    static Article numbered(int number) {
        List<Section> sections = new ArrayList<>();
        for (int s = 0; s < SECTIONS; s++) {
            List<String> paragraphs = new ArrayList<>();
            for (int p = 0; p < PARAGRAPHS; p++) {
                StringBuilder text = new StringBuilder();
                for (int w = 0; w < WORDS; w++) {
                    text.append(w == 0 ? "" : " ")
                            .append("word")
                            .append((number * 31 + s * 17 + p * 7 + w) % 997);
                }
                paragraphs.add(text.toString());
            }
            sections.add(new Section("Section " + s + " of article " + number, paragraphs));
        }
        return new Article("article:" + number, "Article " + number, sections);
    }

    /// Renders the article as HTML.
    String page() {
        StringBuilder html = new StringBuilder(16 << 10);
        html.append("<!doctype html><html><head><title>")
                .append(title)
                .append("</title></head><body><h1>")
                .append(title)
                .append("</h1>");
        for (Section section : sections) {
            html.append("<section><h2>").append(section.heading()).append("</h2>");
            for (String paragraph : section.paragraphs()) {
                html.append("<p>").append(paragraph).append("</p>");
            }
            html.append("</section>");
        }
        return html.append("</body></html>\n").toString();
    }
}
