// @ts-check
/** Run before every command: installs packages and builds the current sources. */
import './install.js';
import './build.js';
