/** The same in each language of mails. */
export interface InLanguages<Text> {
  en: Text;
  es: Text;
}

/** The one in Spanish for a locale of a user that begins with `es`, else the one in English. */
export const inLanguageOf = <Text>(locale: string, { en, es }: InLanguages<Text>): Text =>
  /^es/i.test(locale) ? es : en;
