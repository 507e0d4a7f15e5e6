// @ts-check
/**
 * The thread that runs PostgreSQL. Plain JavaScript, because Node starts it from this very file, in
 * the sources as in the build.
 *
 * It takes wire protocol bytes and answers with wire protocol bytes, one batch at a time.
 *
 * @typedef {{ folder: string | null, snapshotFile: string | null }} EngineOptions
 * @typedef {{ type: 'execute', id: number, bytes: Uint8Array } | { type: 'close' }} EngineRequest
 * @typedef {{ type: 'ready' } | { type: 'closed' } | { type: 'result', id: number, bytes: Uint8Array }
 *   | { type: 'failure', message: string }} EngineReply
 *
 * The parts of Emscripten's module that are used here.
 * @typedef {{ nfd?: number, node: object }} EmscriptenStream
 * @typedef {(...call: unknown[]) => number} EmscriptenWrite
 * @typedef {{ NODEFS: {
 *   stream_ops: { fsync?: (stream: EmscriptenStream) => number, write: EmscriptenWrite },
 *   realPath: (node: object) => string,
 * } }} EmscriptenModule
 */
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// As Emscripten numbers them.
const EIO = 29;
const ENOSPC = 51;

/**
 * The engine's file system on a real folder, with the one call that it leaves out: fsync. Without it
 * a commit would be acknowledged before it is on the disk. It also notices when the disk is full, which
 * the engine keeps to itself when it cannot start for it.
 *
 * A server that panics, as when it cannot write its log, ends; PGlite would go on to the next message
 * without end. Once it serves, the thread ends in its place, with the server's last word.
 */
class DurableNodeFS extends NodeFS {
  syncs = 0;
  isFull = false;
  isServing = false;
  panic = 'PostgreSQL aborted';

  /** @override @type {NodeFS['init']} */
  async init(pg, options) {
    const initialized = await super.init(pg, options);
    const { emscriptenOpts } = initialized;
    emscriptenOpts.printErr = (/** @type {string} */ line) => {
      this.panic = /PANIC: +(.*)/.exec(line)?.[1] ?? this.panic;
    };
    emscriptenOpts.onAbort = () => {
      if (!this.isServing) return;
      reply({ type: 'failure', message: this.panic });
      process.exit(1);
    };
    emscriptenOpts.preRun?.push((/** @type {EmscriptenModule} */ module) => {
      const operations = module.NODEFS.stream_ops;
      const { write } = operations;
      operations.write = (...call) => {
        try {
          return write(...call);
        } catch (error) {
          this.isFull ||= /** @type {{ errno?: number }} */ (error).errno === ENOSPC;
          throw error;
        }
      };
      operations.fsync = ({ nfd, node }) => {
        this.syncs += 1;
        try {
          if (nfd !== undefined) fsyncSync(nfd);
          else syncPath(module.NODEFS.realPath(node));
          return 0;
        } catch {
          return EIO;
        }
      };
    });
    return initialized;
  }
}

/** @param {string} path a folder: those have no open descriptor of their own */
function syncPath(path) {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// A small cache and log: one household's data, in a process that is mostly something else. The stack
// limit makes deep nesting an SQL error well before the thread's own stack ends.
const COMMON = [
  'shared_buffers=16MB',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  'max_stack_depth=500kB',
];
const DURABLE = ['fsync=on', 'wal_sync_method=fsync'];

/** @param {string[]} settings */
const flags = (settings) => settings.flatMap((setting) => ['-c', setting]);

/** @param {string} folder */
async function openFolder(folder) {
  const fs = new DurableNodeFS(folder);
  try {
    const engine = await PGlite.create({
      fs,
      // -F is PostgreSQL's "no fsync".
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
        ...flags([...COMMON, ...DURABLE]),
      ],
    });
    const before = fs.syncs;
    await engine.exec('CHECKPOINT');
    if (fs.syncs === before) throw new Error('The embedded database does not reach the disk');
    fs.isServing = true;
    return engine;
  } catch (error) {
    throw fs.isFull ? new Error('no space left on the device', { cause: error }) : error;
  }
}

/** @param {string | null} snapshotFile */
async function openMemory(snapshotFile) {
  return PGlite.create({
    dataDir: 'memory://',
    loadDataDir: snapshotFile === null ? undefined : new Blob([readFileSync(snapshotFile)]),
    startParams: [...PGlite.defaultStartParams, ...flags(COMMON)],
  });
}

/** @param {EngineReply} message */
const reply = (message) => parentPort?.postMessage(message);

/** @type {unknown} */
const options = workerData;
const { folder, snapshotFile } = /** @type {EngineOptions} */ (options);
const engine = folder === null ? await openMemory(snapshotFile) : await openFolder(folder);

/**
 * @param {EngineRequest} request
 * @returns {Promise<EngineReply>}
 */
async function handle(request) {
  if (request.type === 'close') {
    await engine.close();
    return { type: 'closed' };
  }
  const bytes = await engine.execProtocolRaw(request.bytes, { syncToFs: false });
  return { type: 'result', id: request.id, bytes };
}

parentPort?.on('message', (/** @type {EngineRequest} */ request) => {
  handle(request).then(reply, (/** @type {unknown} */ error) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    reply({ type: 'failure', message });
  });
});
reply({ type: 'ready' });
