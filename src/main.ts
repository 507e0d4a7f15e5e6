/**
 * The process. It hears signals before it loads the rest, which takes a second: as the first process of a
 * container it would ignore them till then.
 */
import './signals.js';

await import('./start.js');
