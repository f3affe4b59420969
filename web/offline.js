// Keeps the files of the page, so that it opens without a network once it was loaded. A new build takes the place of the old one.

const STORE = "sampler-lab-{{build}}";
const FILES = ["index.html", "page.js", "sampler_lab.js", "sampler_lab_bg.wasm", "icon.svg", "manifest.webmanifest"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name.startsWith("sampler-lab-") && name !== STORE);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

// The network first, so that nobody sees an old build; the store without one. What is loaded later goes into the store, too.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) {
    return;
  }
  // The folder of the page leads to its first file, by way of an experiment or not.
  const file = request.mode === "navigate" ? "index.html" : request;
  const keep = async (answer) => answer.ok && !answer.redirected && (await caches.open(STORE)).put(file, answer);
  const kept = async () => (await (await caches.open(STORE)).match(file, { ignoreSearch: true })) ?? Response.error();
  const fresh = async () => {
    const answer = await fetch(request);
    event.waitUntil(keep(answer.clone()));
    return answer;
  };
  event.respondWith(fresh().catch(kept));
});
