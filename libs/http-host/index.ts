export { clientMemory, type Holding } from './client-memory.js';
export { BODY_TIMEOUT_MS, MAX_CONNECTIONS, SERVER_LIMITS } from './connection-limits.js';
export { freeBuffer, GrowingBuffer } from './growing-buffer.js';
export { connectInProcess } from './in-process-connection.js';
export { onRequestEnd } from './request-end.js';
export { StablePrototypeAdapter } from './stable-prototype-adapter.js';
