// @ts-check
/**
 * The worker thread that runs PostgreSQL. Plain JavaScript, because Node loads this file directly,
 * in the sources and in the build.
 *
 * It receives batches of wire protocol messages and returns the protocol messages of the responses.
 *
 * @typedef {{ folder: string } | { snapshotFile: string }} EngineOptions a folder, or a database in
 *   memory
 * @typedef {{ type: 'execute', id: number, bytes: Uint8Array } | { type: 'close' }} EngineRequest
 * @typedef {{ type: 'ready' } | { type: 'closed' } | { type: 'failure', message: string }
 *   | { type: 'result', id: number, bytes: Uint8Array<ArrayBuffer> }} EngineReply
 *
 * The parts of Emscripten's module that are used here.
 * @typedef {{ nfd?: number, node: object }} EmscriptenStream
 * @typedef {(...call: unknown[]) => number} EmscriptenWrite
 * @typedef {(node: object, attributes: { mode?: number }) => void} EmscriptenSetAttributes
 * @typedef {{ NODEFS: {
 *   stream_ops: { fsync?: (stream: EmscriptenStream) => number, write: EmscriptenWrite },
 *   node_ops: { setattr: EmscriptenSetAttributes },
 *   realPath: (node: object) => string,
 * } }} EmscriptenModule
 */
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { fsyncSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { syncPath } from './sync-path.js';

// Error numbers of Emscripten.
const EIO = 29;
const ENOSPC = 51;

/** Removes the permissions of the group and other users from a mode. */
const OWNER_MASK = ~0o077;

/**
 * PGlite's file system on a folder, with the missing fsync: without it a commit would be
 * acknowledged before it is on disk. It also records a full disk, which PGlite does not report when
 * it fails to start.
 *
 * PostgreSQL ends on a PANIC, as when it cannot write its log; PGlite would continue with an
 * unusable server. Therefore the thread exits once it has started, and reports the message. It is
 * also the reason of a failed start.
 */
class DurableNodeFS extends NodeFS {
  syncs = 0;
  isFull = false;
  isServing = false;
  /** The last FATAL or PANIC message. @type {string | undefined} */
  failure;

  /** @override @type {NodeFS['init']} */
  async init(pg, options) {
    const initialized = await super.init(pg, options);
    const { emscriptenOpts } = initialized;
    emscriptenOpts.printErr = (/** @type {string} */ line) => {
      this.failure = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? this.failure;
    };
    emscriptenOpts.onAbort = () => {
      if (!this.isServing) return;
      reply({ type: 'failure', message: this.failure ?? 'PostgreSQL aborted' });
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
      // Emscripten gives every file the mode 0666, whatever the umask of the process.
      const { node_ops: nodeOperations } = module.NODEFS;
      const { setattr } = nodeOperations;
      nodeOperations.setattr = (node, { mode, ...others }) => {
        setattr(node, mode === undefined ? others : { ...others, mode: mode & OWNER_MASK });
      };
      // A folder has no descriptor of its own.
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

// A small cache and log, because the data is small and the process shares its memory with the
// service. The stack limit makes deep nesting an SQL error before the thread's stack overflows.
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
    if (fs.syncs === before) throw new Error('The embedded database does not write to the disk');
    fs.isServing = true;
    return engine;
  } catch (error) {
    const reason = fs.isFull ? 'no space left on the device' : fs.failure;
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
}

/** @param {string} snapshotFile */
async function openMemory(snapshotFile) {
  return PGlite.create({
    dataDir: 'memory://',
    // PGlite unzips it if the name ends with .gz.
    loadDataDir: new File([readFileSync(snapshotFile)], snapshotFile),
    startParams: [...PGlite.defaultStartParams, ...flags(COMMON)],
  });
}

/** @param {EngineReply} message */
const reply = (message) =>
  parentPort?.postMessage(message, message.type === 'result' ? [message.bytes.buffer] : []);

/** @type {unknown} */
const options = workerData;
const storage = /** @type {EngineOptions} */ (options);
const engine =
  'folder' in storage ? await openFolder(storage.folder) : await openMemory(storage.snapshotFile);

/**
 * @param {EngineRequest} request
 * @returns {Promise<EngineReply>}
 */
async function handle(request) {
  if (request.type === 'close') {
    await engine.close();
    return { type: 'closed' };
  }
  return { type: 'result', id: request.id, bytes: await execute(request.bytes) };
}

/**
 * Uses the streaming call, because execProtocolRaw also parses and keeps every message, so that
 * memory grows with each query.
 *
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>} a view of a whole buffer, as a transfer requires
 */
async function execute(bytes) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  await engine.execProtocolRawStream(bytes, {
    syncToFs: false,
    // A view of the engine's memory, valid during the call.
    onRawData: (chunk) => chunks.push(chunk.slice()),
  });
  const response = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    response.set(chunk, end);
    end += chunk.length;
  }
  return response;
}

parentPort?.on('message', (/** @type {EngineRequest} */ request) => {
  handle(request).then(reply, (/** @type {unknown} */ error) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    reply({ type: 'failure', message });
  });
});
reply({ type: 'ready' });
