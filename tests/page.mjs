// The page in a real browser: it opens, runs, pauses, seeks, obeys a slider and a finger, opens links, gives files away and takes them,
// finds its experiment again, shows in its address what is open, and says what is wrong where files or the graphics card are missing. Called by tests/page.sh: node page.mjs ADDRESS FOLDER PROGRAM
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [address, folder, program] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const messages = [];
let passed = 0;
let failed = 0;

function check(what, holds, found = "") {
  console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${found}`}`);
  if (holds) {
    passed += 1;
  } else {
    failed += 1;
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

// A window of a browser with this page, once the program has started; what is drawn is counted.
async function opened(context, fragment, rest = 3000) {
  const page = await context.newPage();
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
  await page.addInitScript(() => {
    globalThis.drawn = 0;
    const draw = WebGL2RenderingContext.prototype.drawElements;
    WebGL2RenderingContext.prototype.drawElements = function (...some) {
      globalThis.drawn += 1;
      return draw.apply(this, some);
    };
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    addEventListener("sampler-lab-started", () => (globalThis.started = performance.now()));
    addEventListener("sampler-lab-failed", () => (globalThis.started = -1));
  });
  await page.goto(`${address}/${fragment}`);
  await running(page, rest);
  return page;
}

// Waits until the program has started.
async function running(page, rest = 3000) {
  await page.waitForFunction(() => globalThis.started, null, { timeout: 120_000 });
  await page.waitForTimeout(rest);
}

// Seconds from the start of the program until the runs of an experiment in Instant are shown: the page notes the step in what it keeps for
// the next visit, a few seconds later at most.
async function untilFinished(page) {
  const seconds = () => page.evaluate(() => (performance.now() - globalThis.started) / 1000);
  const step = () =>
    page.evaluate(() => {
      const sessions = Object.keys(localStorage).filter((key) => key.startsWith("sampler-lab/session-"));
      return Math.max(0, ...sessions.map((key) => Number(localStorage.getItem(key).match(/"step": ([0-9]+)/)?.[1] ?? 0)));
    });
  while ((await step()) === 0 && (await seconds()) < 60) {
    await page.waitForTimeout(200);
  }
  return seconds();
}

// The file that a key gives away.
async function download(page, key, timeout = 60_000) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout }), page.keyboard.press(key)]).catch(async (error) => {
    await page.screenshot({ path: `${folder}/failed.png` });
    throw error;
  });
  return file;
}

// The scenario as the page saves it.
const saved = async (page) => readFileSync(await (await download(page, "Control+s")).path(), "utf8");

const number = (text, key) => Number(text.match(new RegExp(`^${key} = ([0-9.]+)$`, "m"))?.[1]);
const title = (text) => text.match(/^title = "(.*)"$/m)?.[1];

const desk = await browser.newContext({ viewport: { width: 1366, height: 768 }, acceptDownloads: true });
let page = await opened(desk, "#authors-code");
console.log(`started after ${Math.round(await page.evaluate(() => globalThis.started))} ms`);
check("the program starts", (await page.evaluate(() => globalThis.started)) > 0);
await page.screenshot({ path: `${folder}/1-opened.png` });

// Play, pause, seek.
const first = await saved(page);
check("the link shows its lesson", /cyclical|cSGLD|csgld/i.test(first), title(first));
const moving = [number(first, "step"), number(await saved(page), "step")];
if (moving[0] === moving[1]) {
  await page.keyboard.press("Space");
  await page.waitForTimeout(1500);
}
const later = number(await saved(page), "step");
check("steps are taken", later > moving[0], `${moving[0]} → ${later}`);
await page.keyboard.press("Space");
await page.waitForTimeout(1500);
const paused = number(await saved(page), "step");
await page.waitForTimeout(3000);
check("a pause holds", number(await saved(page), "step") === paused);
await page.keyboard.press("ArrowLeft");
await page.waitForTimeout(1500);
check("a key goes a step back", number(await saved(page), "step") === paused - 1, `${paused} → ${number(await saved(page), "step")}`);

// At rest nothing is drawn, once all measures are known.
await page.mouse.move(700, 300);
const drawn = () => page.evaluate(() => globalThis.drawn);
let last = 1;
for (let tries = 0; tries < 30 && last > 0; tries += 1) {
  const before = await drawn();
  await page.waitForTimeout(2500);
  last = (await drawn()) - before;
}
check("idle draws nothing", last === 0, `${last} meshes in 2.5 seconds`);

// A slider: the spacing of the grid, in the left panel.
await page.mouse.move(116, 142);
await page.mouse.down();
await page.mouse.move(140, 142, { steps: 6 });
await page.mouse.up();
await page.waitForTimeout(1500);
const spacing = number(await saved(page), "spacing");
check("a slider changes the scenario", spacing > 2, `spacing = ${spacing}`);
await page.screenshot({ path: `${folder}/2-changed.png` });

// Links: another lesson, a broken one, letters of another script.
await page.evaluate(() => (location.hash = "welling-teh"));
await page.waitForTimeout(4000);
const other = await saved(page);
check("a new fragment opens its lesson", /bivariate-mixture/.test(other), title(other));
await page.evaluate(() => (location.hash = "1.broken"));
await page.waitForTimeout(2500);
check("a broken link leaves the experiment", title(await saved(page)) === title(other));
await page.screenshot({ path: `${folder}/3-broken-link.png` });

// A figure that the desktop reads.
await page.keyboard.press("Control+e");
await page.waitForTimeout(4000);
await page.screenshot({ path: `${folder}/4-export.png` });
const figure = await download(page, "Enter", 120_000);
const png = `${folder}/figure.png`;
await figure.saveAs(png);
const report = execFileSync(program, ["check", png], { encoding: "utf8" });
check("the desktop reads the scenario in the figure", report.length > 0 && readFileSync(png).subarray(1, 4).toString() === "PNG");
await page.keyboard.press("Escape");

// Draws of all runs.
async function draws(command) {
  await page.keyboard.press("Control+k");
  await page.waitForTimeout(1500);
  await page.keyboard.type(command);
  await page.waitForTimeout(1500);
  const file = await download(page, "Enter");
  const path = `${folder}/${file.suggestedFilename()}`;
  await file.saveAs(path);
  return { name: file.suggestedFilename(), bytes: readFileSync(path) };
}
await page.keyboard.press("End");
await page.waitForTimeout(4000);
const table = await draws("save draws as csv");
const rows = table.bytes.toString().trimEnd().split("\n");
const header = "run,chain,step,x,y,weight,cycle,stage";
const whole = rows[0] === header && rows.length > 100 && rows.every((row) => row.split(",").length === 8);
check("draws are given away as a table", table.name.endsWith(".csv") && whole, `${table.name}: ${rows.slice(0, 2)}`);
const store = await draws("save draws as zarr");
const zip = store.name.endsWith(".zarr.zip") && store.bytes.subarray(0, 2).toString() === "PK";
check("and as a store", zip && store.bytes.includes("posterior/x/zarr.json"), store.name);

// The next visit, and a storage that is damaged.
const left = title(await saved(page));
await page.close();
page = await opened(desk, "");
check("the experiment is there at the next visit", title(await saved(page)) === left, title(await saved(page)));
await page.screenshot({ path: `${folder}/5-next-visit.png` });
await page.close();
const blank = await desk.newPage();
await blank.goto(`${address}/icon.svg`);
await blank.evaluate(() => {
  for (const key of Object.keys(localStorage)) {
    localStorage.setItem(key, "{ damaged");
  }
});
await blank.close();
page = await opened(desk, "");
check("a damaged storage is survived", (await page.evaluate(() => globalThis.started)) > 0);
await page.screenshot({ path: `${folder}/6-damaged-storage.png` });
await desk.close();

// The address and the title follow what is open; the way back and a reload lead to it.
const room = await browser.newContext({ viewport: { width: 1366, height: 768 }, acceptDownloads: true });
page = await opened(room, "#authors-code");
const place = async () => [await page.evaluate(() => location.hash), await page.title()];
check("the address names the lesson", (await place())[0] === "#authors-code", await place());
const lessons = [await place()];
check("the title names the lesson", lessons[0][1].includes(title(first)), lessons[0][1]);
await page.keyboard.press("PageDown");
await page.waitForTimeout(4000);
lessons.push(await place());
check("Page Down changes address and title", lessons[0].every((part, index) => part && part !== lessons[1][index]), lessons.join(" "));
await page.keyboard.press("Shift+N");
await page.waitForTimeout(3500);
await page.reload();
await running(page);
check("a reload keeps the address", (await place())[0] === lessons[1][0], await place());
// What is saved has an address of its own in the same place, and its file gives it a title.
const again = await saved(page);
check("and the lesson with its changes", lessons[1][1].includes(title(again)) && number(again, "seed") !== number(first, "seed"), title(again));
await page.waitForTimeout(1000);
const latest = await place();
await page.goBack();
await page.waitForTimeout(4000);
check("Back leads to the lesson before", (await place()).join() === lessons[0].join(), await place());
await page.goForward();
await page.waitForTimeout(4000);
check("Forward leads to the next", (await place())[0] === latest[0] && (await place())[1].includes(title(again)), await place());

// The browser takes away what draws on the canvas: the page says so, and the experiment goes on.
await page.keyboard.press("Shift+N");
await page.waitForTimeout(3500);
const before = number(await saved(page), "seed");
const shown = (id) => page.evaluate((id) => getComputedStyle(document.getElementById(id)).visibility === "visible" && document.getElementById(id).offsetHeight > 0, id);
check("nothing lies over the canvas", !(await shown("loading")));
const calm = messages.length;
await page.evaluate(() => document.getElementById("sampler-lab").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
await page.waitForTimeout(3000);
const words = await page.textContent("#what");
check("a lost canvas is told", (await shown("loading")) && /no longer draws/.test(words), words);
const [file] = await Promise.all([page.waitForEvent("download", { timeout: 60_000 }), page.click("#save")]);
const kept = readFileSync(await file.path(), "utf8");
check("and the experiment can be saved", title(kept) !== undefined && (await shown("save")), kept.slice(0, 200));
await page.screenshot({ path: `${folder}/8-lost-canvas.png` });
// What the browser itself says of the loss is no fault of the page.
messages.splice(calm);
await page.click("#again");
await running(page);
check("and goes on after it is loaded again", number(await saved(page), "seed") === before, `${number(await saved(page), "seed")} for ${before}`);
messages.splice(calm);
await room.close();

// Files that do not come.
for (const [file, patience, expected] of [["page.js", 12_000, "page.js, has not come"], ["sampler_lab.js", 5000, "could not be loaded"]]) {
  const without = await browser.newContext({ serviceWorkers: "block" });
  const page = await without.newPage();
  await page.route(`**/${file}`, (route) => route.abort());
  await page.goto(address);
  const soon = await page.evaluate(() => document.body.innerText);
  await page.waitForTimeout(patience);
  const text = await page.evaluate(() => document.body.innerText);
  check(`the page says that ${file} does not come`, text.includes(expected), text);
  check(`and not before (${file})`, file !== "page.js" || !soon.includes(expected), soon);
  await page.screenshot({ path: `${folder}/9-without-${file}.png` });
  await without.close();
}

// Instant in sight of slow pictures: these runs take a second or two of computing.
for (const lesson of ["gap-bands", "cold"]) {
  const desk = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  page = await opened(desk, `#${lesson}`, 0);
  const took = await untilFinished(page);
  console.log(`Instant of ${lesson}: ${took} s`);
  check(`Instant of ${lesson} has most of the time`, took < 12, `${took} s`);
  await page.screenshot({ path: `${folder}/10-instant-${lesson}.png` });
  await desk.close();
}

// Fingers, on a tablet upright and lying: two zoom a canvas, one opens a panel, moves a slider, and shows a tooltip while it stays.
for (const [width, height] of [[820, 1180], [1180, 820]]) {
  const tablet = await browser.newContext({ viewport: { width, height }, hasTouch: true, acceptDownloads: true });
  page = await opened(tablet, "#authors-code");
  const session = await tablet.newCDPSession(page);
  const touch = async (type, ...points) => {
    await session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await page.waitForTimeout(60);
  };
  const [x, y] = [width / 3, height / 4];
  await touch("touchStart", [x - 30, y], [x + 30, y]);
  for (let apart = 30; apart <= 120; apart += 10) {
    await touch("touchMove", [x - apart, y], [x + apart, y]);
  }
  await touch("touchEnd");
  await page.waitForTimeout(1500);
  check(`two fingers zoom at ${width} × ${height}`, /^area = /m.test(await saved(page)));
  await touch("touchStart", [11, 85]);
  await touch("touchEnd");
  await page.waitForTimeout(1500);
  // A narrow window has a sentence of the lesson above its panels.
  const spacing = width < 900 ? 171 : 142;
  await touch("touchStart", [110, spacing]);
  for (let to = 110; to < 150; to += 5) {
    await touch("touchMove", [to, spacing]);
  }
  await touch("touchEnd");
  await page.waitForTimeout(1500);
  const wider = number(await saved(page), "spacing");
  check(`a finger opens a panel and moves a slider at ${width} × ${height}`, wider > 2, `spacing = ${wider}`);
  // Below the button in the menu bar, where the tooltip comes.
  const clip = { x: width - 300, y: 30, width: 200, height: 40 };
  await page.keyboard.press("Space");
  await page.waitForTimeout(2000);
  const without = await page.screenshot({ clip });
  await touch("touchStart", [width - 98, 15]);
  await touch("touchMove", [width - 97, 15]);
  await page.waitForTimeout(2000);
  check(`a finger that stays shows a tooltip at ${width} × ${height}`, !without.equals(await page.screenshot({ clip })));
  await page.screenshot({ path: `${folder}/7-touch-${width}x${height}.png` });
  await touch("touchEnd");
  await tablet.close();
}
await browser.close();

check("no message on the console", messages.length === 0, messages.slice(0, 3).join(" | "));
writeFileSync(`${folder}/messages.txt`, messages.join("\n"));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
