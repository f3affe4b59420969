// Loads the program, says how far that is, and says what is missing where the program cannot run.

const part = (id) => document.getElementById(id);

// It is here: what would be said without it goes.
part("stuck").remove();

// Says what is wrong, and offers to load the page again.
function say(what, reason) {
  part("loading").hidden = false;
  part("what").textContent = what;
  part("reason").textContent = reason;
  part("reason").hidden = false;
  part("again").hidden = false;
}

// Says why there is no program.
function fail(what, reason) {
  clearInterval(waiting);
  say(what, reason);
  part("progress").hidden = true;
}

// Offers the experiment as a file.
function offer(experiment) {
  if (experiment) {
    const file = new Blob([experiment], { type: "application/toml" });
    part("save").href = URL.createObjectURL(file);
    part("save").hidden = false;
  }
}

// While nothing more comes of a file, this is said; the page goes on waiting.
const PATIENCE = 20_000;
let newest = performance.now();
const waiting = setInterval(() => {
  const { value, max } = part("progress");
  const stands = performance.now() - newest > PATIENCE;
  if (stands && value < max) {
    say("Loading …", "Nothing has come for 20 seconds. Is the network there, and the server? You can wait, or load the page again.");
  } else if (stands) {
    say("Starting …", "The program is here, and takes long to start on this computer. You can wait, or load the page again.");
  } else {
    part("reason").hidden = part("again").hidden = true;
  }
}, 1000);
function come() {
  newest = performance.now();
}

// What this browser has not, in words; nothing if it has all.
function missing() {
  // The smallest program that uses a vector.
  const vector = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(new Uint8Array(vector))) {
    return "This browser has no WebAssembly with vectors. Chrome, Edge and Firefox have it since 2021, Safari since 2023.";
  }
  // On the canvas of the program, which takes it over: a browser has few of them, for all pages together.
  if (!part("sampler-lab").getContext("webgl2")) {
    return "This browser has no WebGL 2, or it is switched off. It is on where hardware acceleration is on, in the settings of the browser.";
  }
  return "";
}

// The program, as it is loaded: the bar follows.
async function program() {
  const answer = await fetch("sampler_lab_bg.wasm");
  if (!answer.ok) {
    throw new Error(`sampler_lab_bg.wasm: ${answer.status} ${answer.statusText}`);
  }
  let loaded = 0;
  const count = new TransformStream({
    transform(piece, out) {
      loaded += piece.byteLength;
      come();
      part("progress").value = loaded;
      out.enqueue(piece);
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

// Every tab with this page has a number, and knows those of the others: what a closed tab has kept, a new one takes over.
const tab = String(Math.floor(Math.random() * 2 ** 32));
const others = [];
globalThis.samplerLab = { tab, others };
function join() {
  const tabs = new BroadcastChannel("sampler-lab");
  tabs.onmessage = ({ data: { asks, answers, leaves } }) => {
    if (leaves) {
      others.splice(0, others.length, ...others.filter((other) => other !== leaves));
      return;
    }
    others.push(asks ?? answers);
    if (asks) {
      tabs.postMessage({ answers: tab });
    }
  };
  tabs.postMessage({ asks: tab });
  const leave = () => {
    tabs.postMessage({ leaves: tab });
    tabs.close();
  };
  addEventListener("pagehide", leave, { once: true });
}
if (globalThis.BroadcastChannel) {
  join();
  // A page that the browser had put aside comes back.
  addEventListener("pageshow", (event) => event.persisted && join());
}

// Copies a text where browsers give programs no clipboard: on pages that come neither by https nor from this computer.
globalThis.samplerLab.copy = (text) => {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const give = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    // The program would take it for a wish to copy what is selected in its window.
    event.stopImmediatePropagation();
  };
  addEventListener("copy", give, { capture: true, once: true });
  const copied = document.execCommand("copy");
  removeEventListener("copy", give, { capture: true });
  field.remove();
  focused?.focus();
  if (!copied) {
    prompt("This browser lets only you copy: select the text.", text);
  }
};

let started = false;
let lost = false;
addEventListener("sampler-lab-started", () => {
  started = true;
  clearInterval(waiting);
  part("loading").hidden = !lost;
});
addEventListener("sampler-lab-failed", (event) => {
  // What fails because nothing can be drawn is told already.
  if (!lost) {
    fail(started ? "Sampler Lab has broken down." : "Sampler Lab could not start.", event.detail.reason);
  }
  offer(event.detail.experiment);
});
addEventListener("sampler-lab-lost", (event) => {
  lost = true;
  fail(
    "The browser no longer draws this page.",
    "That happens after sleep, when the driver of the graphics card starts again, or when many pages draw at once: close some of them. Your experiment is kept: load the page again, and it goes on.",
  );
  offer(event.detail.experiment);
});
addEventListener("sampler-lab-restored", () => {
  fail("The browser can draw this page again.", "Your experiment is kept: load the page again, and it goes on.");
});
part("again").addEventListener("click", () => location.reload());

try {
  const reason = missing();
  if (reason) {
    fail("Sampler Lab cannot run here.", reason);
  } else {
    const { default: init } = await import("./sampler_lab.js");
    come();
    await init({ module_or_path: program() });
    // Without a network the page comes from the browser's own store.
    navigator.serviceWorker?.register("offline.js").catch(() => {});
  }
} catch (error) {
  fail("Sampler Lab could not be loaded.", `${error}\nIs the network there, and the server? Then load it again.`);
}
