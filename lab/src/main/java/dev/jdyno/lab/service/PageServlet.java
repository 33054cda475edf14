package dev.jdyno.lab.service;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Brings a page to the container: its body as text, its failures as status codes.
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Page page;

    PageServlet(Page page) {
        this.page = page;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            send(response, 200, page.answer(new Query(request::getParameter)));
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
