package dev.jdyno.lab.page;

import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Services;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The sample service that writes large pages in several ways of different cost.
@Command(
        name = "pages",
        mixinStandardHelpOptions = true,
        description = {
            "GET /body?as=writer|encode|bytes&text=ascii|latin|chinese,",
            "GET /item?form=full|squeezed|merged|apart|empty, GET /menu,",
            "GET /template?page=0&engine=velocity|compiled|binary."
        })
public final class Pages implements Callable<Integer> {
    @Mixin private ContainerOptions options = new ContainerOptions();

    public static void main(String... args) {
        Services.main(new Pages(), args);
    }

    @Override
    public Integer call() {
        try (Container container = start(options)) {
            Services.listening(options.listen(), container.port());
            container.await();
        }
        return 0;
    }

    static Container start(ContainerOptions options) {
        return Container.startRaw(
                options,
                Map.of(
                        "/body", new BodyPage(),
                        "/item", new ItemPage(),
                        "/menu", ItemPage::menu,
                        "/template", new TemplatePage()));
    }
}
