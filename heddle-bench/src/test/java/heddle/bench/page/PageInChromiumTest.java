package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a browser shows it, with pictures of it in target/page; see CONTRIBUTING.md. */
@EnabledIfSystemProperty(
    named = "heddle.page.browser",
    matches = "true",
    disabledReason = "needs a browser: the profile page asks for it")
class PageInChromiumTest {

  private static final Path PICTURES = Path.of("target", "page");
  private static final Path PAGE = PICTURES.resolve("race.html").toAbsolutePath();
  private static final Path USUAL = PICTURES.resolve("usual.html").toAbsolutePath();
  private static final Path INDEX = PICTURES.resolve("index.html").toAbsolutePath();
  private static final int DESK = 1_280;
  private static final int PHONE = 390;

  @TempDir
  private static Path profile;

  private static Chromium browser;

  @BeforeAll
  static void writePage() throws IOException {
    Files.createDirectories(PICTURES);
    Files.writeString(PAGE, RacePage.render(SampleRace.result()));
    Files.writeString(USUAL, RacePage.render(SampleRace.ofCells()));
    Files.writeString(INDEX, IndexPage.render(SampleIndex.entries()));
    browser = Chromium.start(profile);
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void pageLoadsNothingAndReportsNoError(String scheme) throws Exception {
    open(DESK, scheme, true);
    browser.evaluate(DRAW_ALL);
    assertEquals(List.of(), browser.told("Runtime.exceptionThrown"));
    assertEquals(List.of(), browser.told("Runtime.consoleAPICalled"));
    assertEquals(List.of(), browser.told("Log.entryAdded"));
    List<String> requested = browser.told("Network.requestWillBeSent").stream()
        .map(PageInChromiumTest::url)
        .filter(each -> !each.startsWith("data:"))
        .toList();
    assertEquals(List.of(PAGE.toUri().toString()), requested);
    picture("desk-" + scheme);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void everyChartIsDrawnInTheColoursOfTheScheme(String scheme) throws Exception {
    open(DESK, scheme, true);
    browser.evaluate(DRAW_ALL);
    assertEquals(0, number("document.querySelectorAll('canvas').length === 0 ? 1 : 0"));
    assertEquals(
        "",
        browser.evaluate("[...document.querySelectorAll('canvas')].filter(" + IS_EMPTY
            + ").map(each => each.dataset.chart).join()"));
  }

  @Test
  void schemesDifferAndTextIsLegibleInBoth() throws Exception {
    open(DESK, "light", true);
    Object light = browser.evaluate("getComputedStyle(document.body).backgroundColor");
    assertContrast();
    open(DESK, "dark", true);
    assertNotEquals(light, browser.evaluate("getComputedStyle(document.body).backgroundColor"));
    assertContrast();
  }

  /** WCAG 2.2 §1.4.3: 4.5 to 1 for text. */
  private static void assertContrast() {
    assertEquals("", browser.evaluate(TOO_FAINT));
  }

  @Test
  void chartsFollowTheSchemeWhenItChanges() throws Exception {
    open(DESK, "light", true);
    browser.evaluate(DRAW_ALL);
    String colour = "Chart.getChart(document.querySelector('canvas')).options.scales.x.ticks.color";
    Object light = browser.evaluate(colour);
    emulate(DESK, "dark");
    // The page hears of it with the next frame.
    assertNotEquals(
        light,
        browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() "
            + "=> done(" + colour + "))))"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void nothingIsWiderThanAPhone(String scheme) throws Exception {
    open(PHONE, scheme, true);
    browser.evaluate(DRAW_ALL);
    assertEquals(PHONE, number("document.documentElement.scrollWidth"));
    assertEquals("", browser.evaluate(TOO_WIDE));
    picture("phone-" + scheme);
  }

  @ParameterizedTest
  @ValueSource(ints = {DESK, PHONE})
  void mainFiguresAreThereWithoutScripts(int width) throws Exception {
    open(width, "light", false);
    // The protocol's own evaluation runs even where the page's scripts do not.
    assertEquals("undefined", browser.evaluate("typeof Chart"));
    browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");
    assertTrue(number("document.querySelectorAll('.ranking .bar').length") > 100);
    assertTrue(number("document.querySelectorAll('.forest .points use').length") > 100);
    assertTrue(number(
            "document.querySelector('.ranking tr:last-child .bar').getBoundingClientRect().width")
        > 20);
    assertTrue(number("document.querySelector('.matrix').getBoundingClientRect().height") > 100);
    assertEquals(0, number("document.querySelector('.area').getBoundingClientRect().height"));
    picture("no-scripts-" + width);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void paperIsWhiteAndHasTheCharts(String scheme) throws Exception {
    open(DESK, scheme, true);
    Map<String, Object> printed = browser.send(
        "Page.printToPDF",
        Map.of(
            "printBackground",
            false,
            "preferCSSPageSize",
            true,
            "paperWidth",
            8.27,
            "paperHeight",
            11.7));
    byte[] pdf = Base64.getDecoder().decode(String.valueOf(printed.get("data")));
    Files.write(PICTURES.resolve("paper-" + scheme + ".pdf"), pdf);
    assertTrue(pdf.length > 100_000, pdf.length + " bytes");
    browser.send("Emulation.setEmulatedMedia", Map.of("media", "print"));
    assertEquals(
        "rgb(255, 255, 255)", browser.evaluate("getComputedStyle(document.body).backgroundColor"));
    browser.send("Emulation.setEmulatedMedia", Map.of("media", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void indexLoadsNothingIsLegibleAndLeadsToEveryPage(String scheme) throws Exception {
    openIndex(DESK, scheme);
    assertEquals(List.of(), browser.told("Log.entryAdded"));
    assertEquals(
        List.of(INDEX.toUri().toString()),
        browser.told("Network.requestWillBeSent").stream()
            .map(PageInChromiumTest::url)
            .filter(each -> !each.startsWith("data:"))
            .toList());
    assertContrast();
    assertEquals(
        SampleIndex.entries().stream().mapToInt(each -> each.links().size()).sum(),
        number("[...document.querySelectorAll('.links a')].filter(each => each.checkVisibility()"
            + " && each.href.startsWith('file:') && each.getBoundingClientRect().width > 20)"
            + ".length"));
    wholePicture("index-desk-" + scheme);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void indexIsNoWiderThanAPhone(String scheme) throws Exception {
    openIndex(PHONE, scheme);
    assertEquals(PHONE, number("document.documentElement.scrollWidth"));
    assertEquals("", browser.evaluate(TOO_WIDE));
    wholePicture("index-phone-" + scheme);
  }

  @Test
  void indexIsPrintedWithItsVerdicts() throws Exception {
    openIndex(DESK, "dark");
    Map<String, Object> printed = browser.send(
        "Page.printToPDF", Map.of("printBackground", false, "preferCSSPageSize", true));
    byte[] pdf = Base64.getDecoder().decode(String.valueOf(printed.get("data")));
    Files.write(PICTURES.resolve("index-paper.pdf"), pdf);
    browser.send("Emulation.setEmulatedMedia", Map.of("media", "print"));
    assertEquals(
        "rgb(255, 255, 255)", browser.evaluate("getComputedStyle(document.body).backgroundColor"));
    assertTrue(number("document.querySelector('.tally span').getBoundingClientRect().width") > 0);
    browser.send("Emulation.setEmulatedMedia", Map.of("media", ""));
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "390, light", "390, dark"})
  void usualRaceOpensWithItsAnswerAndFitsTenScreens(int width, String scheme) throws Exception {
    assertTrue(Files.size(USUAL) <= 400_000, Files.size(USUAL) + " bytes");
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    emulate(width, scheme);
    browser.show(USUAL.toUri());
    browser.evaluate(UNPACKED);
    assertTrue(number("document.querySelector('#answer .ranking').getBoundingClientRect().bottom")
        <= (width == DESK ? 900 : 2 * 900));
    if (width == DESK) {
      double height = number("document.documentElement.scrollHeight");
      assertTrue(height <= 10 * 900, height + " pixels");
      double cell = number("document.querySelector('#cell-h1-64').getBoundingClientRect().height");
      assertTrue(cell <= 1_000, cell + " pixels");
    }
    assertEquals(width, number("document.documentElement.scrollWidth"));
    assertEquals("", browser.evaluate(TOO_WIDE));
    assertContrast();
    wholePicture("usual-" + width + "-" + scheme);
  }

  private static void openIndex(int width, String scheme) {
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    emulate(width, scheme);
    browser.show(INDEX.toUri());
  }

  private static void open(int width, String scheme, boolean withScripts) {
    browser.send("Emulation.setScriptExecutionDisabled", Map.of("value", !withScripts));
    emulate(width, scheme);
    browser.show(PAGE.toUri());
    if (withScripts) {
      browser.evaluate(UNPACKED);
    }
  }

  private static void emulate(int width, String scheme) {
    browser.send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width == PHONE));
    browser.send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  private static double number(String expression) {
    return ((Number) browser.evaluate(expression)).doubleValue();
  }

  private static String url(Map<String, Object> event) {
    return event.get("params") instanceof Map<?, ?> parameters
            && parameters.get("request") instanceof Map<?, ?> request
        ? String.valueOf(request.get("url"))
        : "";
  }

  /** Pictures of what tells most: the whole page is longer than anybody looks. */
  private static void picture(String name) throws IOException {
    for (String part :
        List.of("body > header", "#verdict", "#sweeps", "#cell-paced-1k", "#errors")) {
      picture(name + "-" + part.replaceAll("[^a-z0-9-]", ""), part);
    }
  }

  private static void wholePicture(String name) throws IOException {
    picture(name, "html");
  }

  private static void picture(String name, String part) throws IOException {
    Map<String, Object> clip = new HashMap<>(box(part));
    clip.put("scale", 1);
    Map<String, Object> shot =
        browser.send("Page.captureScreenshot", Map.of("captureBeyondViewport", true, "clip", clip));
    Files.write(
        PICTURES.resolve(name + ".png"),
        Base64.getDecoder().decode(String.valueOf(shot.get("data"))));
  }

  /** Where an element is, with the margins of the page. */
  private static Map<String, Object> box(String part) {
    Object box = browser.evaluate("(() => { const at = document.querySelector('" + part
        + "').getBoundingClientRect(); return { x: 0, y: at.top + scrollY,"
        + " width: document.documentElement.clientWidth, height: at.height }; })()");
    Map<String, Object> fields = new HashMap<>();
    if (box instanceof Map<?, ?> map) {
      map.forEach((key, value) -> fields.put(String.valueOf(key), value));
    }
    return fields;
  }

  /** Charts are drawn when they come near, and for paper: this makes them all be drawn. */
  private static final String DRAW_ALL =
      "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))";

  /** Waits until the page has unpacked the library of charts. */
  private static final String UNPACKED =
      """
      new Promise(done => {
        const look = () => document.documentElement.classList.contains('js')
          ? done(true) : setTimeout(look, 10);
        look();
      })""";

  /** Whether all pixels of a canvas are alike. */
  private static final String IS_EMPTY =
      """
      canvas => {
        const pixels = new Uint32Array(canvas.getContext('2d')
          .getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size < 5;
      }""";

  /** Elements that extend beyond the right edge of the page and do not scroll in a box. */
  private static final String TOO_WIDE =
      """
      [...document.querySelectorAll('main *')]
        .filter(each => each.getBoundingClientRect().right > innerWidth + 0.5
          && !each.closest('.scroll, nav, pre, .hidden, svg') && each.checkVisibility())
        .map(each => each.tagName + '.' + each.className).slice(0, 5).join()""";

  /** Text whose contrast to what it stands on is too low. */
  private static final String TOO_FAINT =
      """
      (() => {
        const parts = colour => colour.match(/[\\d.]+/g).map(Number);
        const light = colour => {
          const [r, g, b] = parts(colour).slice(0, 3).map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const paper = element => {
          for (let each = element; each; each = each.parentElement) {
            const colour = getComputedStyle(each).backgroundColor;
            const alpha = parts(colour)[3];
            if (alpha === undefined || alpha > 0) {
              return colour;
            }
          }
          return getComputedStyle(document.body).backgroundColor;
        };
        const faint = new Set();
        for (const each of document.querySelectorAll('body *')) {
          const hasText = [...each.childNodes]
            .some(node => node.nodeType === 3 && node.data.trim() !== '');
          if (hasText && each.checkVisibility() && !each.closest('script, svg')) {
            const one = light(getComputedStyle(each).color);
            const other = light(paper(each));
            const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            if (contrast < 4.5) {
              faint.add(each.tagName + '.' + each.className + ' ' + contrast.toFixed(2));
            }
          }
        }
        return [...faint].slice(0, 5).join();
      })()""";
}
