import { closest, distance } from 'fastest-levenshtein';
import { SETTING_NAMES } from './environment.js';
import { settingVariables } from './variables.js';

/** Shorter names may differ in one letter: they resemble other variables, such as HOST and HOME. */
const LENGTH_FOR_TWO_EDITS = 7;

/** Variables of other programs that differ in one letter from a short setting. */
const OTHER_VARIABLES = ['POST', 'PORTS', 'HOSTS'];

/** A name in upper case without separators. */
const normalize = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z\d]/g, '');

const SETTINGS = new Map(SETTING_NAMES.map((name) => [normalize(name), name]));

/** A warning for each environment variable that is not a setting but resembles one. */
export function misspeltSettings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(settingVariables(env))
    .filter((name) => !SETTING_NAMES.includes(name))
    .flatMap((name) => {
      const setting = similarSetting(name);
      return setting === undefined
        ? []
        : `${name} is not a setting and has no effect; did you mean ${setting}?`;
    });
}

function similarSetting(name: string): string | undefined {
  const normalized = normalize(name);
  const nearest = closest(normalized, [...SETTINGS.keys()]);
  if (OTHER_VARIABLES.includes(normalized)) return undefined;
  const maxEdits = nearest.length < LENGTH_FOR_TWO_EDITS ? 1 : 2;
  return distance(normalized, nearest) <= maxEdits ? SETTINGS.get(nearest) : undefined;
}
