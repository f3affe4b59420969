// Prints the digests of lessons as a WebAssembly module computes them, all of them or the first of every few, and those of all exact
// distributions:
// node run.mjs digests.wasm [EVERY]
//
// A module has one thread. There is one for each processor, and each takes the next line when it is done with one.
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (isMainThread) {
    const bytes = await readFile(process.argv[2]);
    const every = Number(process.argv[3] ?? 1);
    const next = new Int32Array(new SharedArrayBuffer(4));
    const lines = [];
    const finished = Array.from({ length: availableParallelism() }, () => new Promise((resolve, reject) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: { bytes, next, every } });
        worker.on("message", ({ number, line }) => { lines[number] = line; });
        worker.on("error", reject);
        worker.on("exit", resolve);
    }));
    await Promise.all(finished);
    lines.forEach((line) => console.log(line));
} else {
    const { bytes, next, every } = workerData;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    const { memory, line, lessons, at } = instance.exports;
    const some = Math.ceil(lessons() / every);
    for (;;) {
        const number = Atomics.add(next, 0, 1);
        // After some lessons there are the distributions.
        const length = line(number < some ? number * every : lessons() + number - some);
        if (length === 0) break;
        parentPort.postMessage({ number, line: new TextDecoder().decode(new Uint8Array(memory.buffer, at(), length)) });
    }
}
