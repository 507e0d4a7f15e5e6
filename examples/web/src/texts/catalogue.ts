/** A part of the catalogue in both languages, which have the same texts. */
export const catalogue = <Part>(part: { en: Part; es: NoInfer<Part> }): { en: Part; es: Part } =>
  part;
