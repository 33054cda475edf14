package petclinic;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/// The pages about owners.
@Controller
class OwnerPages {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerPages.class);

    private final Owners owners;

    OwnerPages(Owners owners) {
        this.owners = owners;
    }

    @GetMapping("/owners")
    String find(
            @RequestParam(defaultValue = "") String lastName,
            @RequestParam(defaultValue = "1") int page,
            Model model) {
        LOG.info("owners named {}*, page {}", lastName, page);
        var found = owners.named(lastName, page);
        model.addAttribute("lastName", lastName);
        model.addAttribute("owners", found);
        LOG.info("{} owners found", found.size());
        return "owners";
    }

    @GetMapping("/owners/{id}")
    String show(@PathVariable int id, Model model) {
        LOG.info("owner {}", id);
        model.addAttribute("one", owners.get(id));
        return "owner";
    }
}
