export { createFolder } from './create-folder.js';
export { assertCompleteCluster, DataFolderError, RESTORE_ADVICE } from './data-folder.js';
export {
  hasEmbeddedDatabase,
  IN_MEMORY_DATA_DIR,
  openEmbeddedDatabase,
  type EmbeddedDatabase,
} from './embedded-database.js';
export { EngineLostError } from './engine.js';
export { EmbeddedPostgresError } from './errors.js';
export { FolderInUseError, lockFolder } from './folder-lock.js';
export { startMaintenance } from './maintenance.js';
export { memoryWarning } from './memory-limit.js';
