import { InitialSchema1795200000000 } from './1795200000000-initial-schema.js';

/** In the order they run. */
export const migrations = [InitialSchema1795200000000];
