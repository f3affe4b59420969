// Loads the program, says how far that is, and says what is missing where the program cannot run.

const part = (id) => document.getElementById(id);

// Says why there is no program, and offers to load it again.
function fail(what, reason) {
  part("loading").hidden = false;
  part("what").textContent = what;
  part("progress").hidden = true;
  part("reason").textContent = reason;
  part("reason").hidden = false;
  part("again").hidden = false;
}

// What this browser has not, in words; nothing if it has all.
function missing() {
  if (typeof WebAssembly !== "object") {
    return "This browser has no WebAssembly. Any browser of the last five years has it.";
  }
  const canvas = document.createElement("canvas");
  if (!canvas.getContext("webgl2")) {
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
      part("progress").value = loaded;
      out.enqueue(piece);
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

let started = false;
addEventListener("sampler-lab-started", () => {
  started = true;
  part("loading").hidden = true;
});
addEventListener("sampler-lab-failed", (event) => {
  fail(started ? "Sampler Lab has broken down." : "Sampler Lab could not start.", event.detail);
});
part("again").addEventListener("click", () => location.reload());

try {
  const reason = missing();
  if (reason) {
    fail("Sampler Lab cannot run here.", reason);
  } else {
    const { default: init } = await import("./sampler_lab.js");
    await init({ module_or_path: program() });
    // Without a network the page comes from the browser's own store.
    navigator.serviceWorker?.register("offline.js").catch(() => {});
  }
} catch (error) {
  fail("Sampler Lab could not be loaded.", String(error));
}
