import { readFileSync } from 'node:fs';

interface PackageFile {
  version: string;
}

/** The nearest `package.json` upward: the sources and the build lie at different depths. */
function readPackageFile(): PackageFile {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as PackageFile;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('package.json not found');
}

export const SERVICE_VERSION = readPackageFile().version;
