package dev.jdyno.lab.service;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Adapts a page to the container and turns its exceptions into status codes.
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient RawPage page;

    PageServlet(RawPage page) {
        this.page = page;
    }

    /// Returns a servlet for a page whose body is text.
    static PageServlet of(Page page) {
        return new PageServlet((query, response) -> send(response, 200, page.answer(query)));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            page.answer(new Query(request::getParameter), response);
        } catch (BadQuery e) {
            send(response, 400, e.getMessage() + "\n");
        } catch (IOException e) {
            send(response, 502, "a call failed: " + e + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            send(response, 503, "stopping\n");
        }
    }

    private static void send(HttpServletResponse response, int status, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/plain;charset=UTF-8");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
