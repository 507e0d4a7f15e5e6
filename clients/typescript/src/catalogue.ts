import type { MessageLanguage } from './messages.js';

/**
 * The language of the texts for a locale: Spanish for those of Spanish, else English.
 *
 * @throws RangeError if it is not a locale
 */
export function languageOf(locale: string): MessageLanguage {
  return new Intl.Locale(locale).language === 'es' ? 'es' : 'en';
}

/** The text with values in place of their names in braces. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** The entry of a table, unless the key is of a newer service. */
export function entryOf(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
