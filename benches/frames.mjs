// How long the page keeps the browser waiting: for each lesson in Watch, the longest pieces of its own work (processor time in
// milliseconds), frames and work between the frames apart, after the first second. Needs playwright-core in a folder node_modules.
// Usage: node benches/frames.mjs ADDRESS SECONDS [--profile] [LESSON…]; --profile names the functions in the pieces above 50 ms
import { readdirSync } from "node:fs";
import { chromium } from "playwright-core";

const [address, seconds, ...rest] = process.argv.slice(2);
const profiled = rest.includes("--profile");
const named = rest.filter((word) => word !== "--profile");
const folder = new URL("../assets/lessons/", import.meta.url);
const all = () => readdirSync(folder).filter((name) => name.endsWith(".toml")).map((name) => name.slice(0, -5)).sort();
const lessons = named.length > 0 ? named : all();
const LONG = 50_000;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

for (const lesson of lessons) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  const page = await context.newPage();
  await page.addInitScript(() => addEventListener("sampler-lab-started", () => (globalThis.started = performance.now())));
  const devtools = await context.newCDPSession(page);
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await page.goto(`${address}/#${lesson}`);
  await page.waitForFunction(() => globalThis.started, null, { timeout: 60_000 });
  await page.waitForTimeout(1000);
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline"] } });
  await devtools.send("Profiler.enable");
  await devtools.send("Profiler.setSamplingInterval", { interval: 1000 });
  if (profiled) {
    await devtools.send("Profiler.start");
  }
  await page.waitForTimeout(seconds * 1000);
  const profile = profiled ? (await devtools.send("Profiler.stop")).profile : null;
  const complete = new Promise((done) => devtools.once("Tracing.tracingComplete", done));
  await devtools.send("Tracing.end");
  await complete;
  const pieces = (name) => events.filter((event) => event.name === name && event.ph === "X");
  const worst = (found) => found.map((event) => event.tdur ?? event.dur).sort((a, b) => b - a);
  const shown = (times) => times.slice(0, 4).map((time) => String(Math.round(time / 1000)).padStart(4)).join("");
  const [frames, timers] = ["FireAnimationFrame", "TimerFire"].map((name) => worst(pieces(name)));
  console.log(`${lesson.padEnd(28)} frames ${String(frames.length).padStart(4)}, worst${shown(frames)}   between ${String(timers.length).padStart(4)}, worst${shown(timers)}`);
  if (profile) {
    tell(profile, ["FireAnimationFrame", "TimerFire"].flatMap(pieces).filter((event) => (event.tdur ?? event.dur) > LONG));
  }
  await context.close();
}
await browser.close();

// The functions in which the time of long pieces goes, with all that they call.
function tell(profile, long) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const above = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const times = new Map();
  let now = profile.startTime;
  profile.samples.forEach((sample, index) => {
    const time = profile.timeDeltas[index];
    now += time;
    if (!long.some((event) => event.ts <= now && now <= event.ts + event.dur)) {
      return;
    }
    const seen = new Set();
    for (let id = sample; id !== undefined; id = above.get(id)) {
      const name = nodes.get(id).callFrame.functionName.replace(/::h[0-9a-f]{16}.*$/, "");
      if (!seen.has(name)) {
        seen.add(name);
        times.set(name, (times.get(name) ?? 0) + time);
      }
    }
  });
  const ours = [...times].filter(([name]) => /sampler_lab|egui|skrifa|vello/.test(name)).sort((a, b) => b[1] - a[1]);
  for (const [name, time] of ours.slice(0, 25)) {
    console.log(`${String(Math.round(time / 1000)).padStart(10)} ms ${name.slice(0, 140)}`);
  }
}
