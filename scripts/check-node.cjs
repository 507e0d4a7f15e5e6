// @ts-check
/**
 * Reports an unsupported version of Node.js in one line. Loaded before scripts that old versions cannot parse, so
 * that it uses the syntax of ES2015 (enforced by eslint.config.js).
 */
'use strict';

/** @type {{ engines: { node: string } }} */
const manifest = require('../package.json');

/**
 * @param {string} text
 * @returns {number} 20019 for 20.19.0
 */
function versionIn(text) {
  const found = /(\d+)\.(\d+)/.exec(text) || [];
  return Number(found[1]) * 1000 + Number(found[2]);
}

/**
 * @param {string} alternative as ^20.19.0 or >=22.12.0
 * @returns {boolean}
 */
function isMet(alternative) {
  const minimum = versionIn(alternative);
  const current = versionIn(process.versions.node);
  const isSameMajor = Math.floor(current / 1000) === Math.floor(minimum / 1000);
  return current >= minimum && (isSameMajor || alternative.startsWith('>='));
}

const supported = manifest.engines.node;
if (!supported.split(' || ').some(isMet)) {
  console.error(`Node.js ${process.versions.node} is not supported; required: ${supported}`);
  process.exit(1);
}
