interface Texts {
  title: string;
  question: string;
  button: string;
  done: string;
}

const ENGLISH: Texts = {
  title: 'Reminders',
  question: 'Do you want no more reminders by mail?',
  button: 'Turn reminders off',
  done: 'You get no more reminders. You can turn them on again in the settings.',
};

const SPANISH: Texts = {
  title: 'Recordatorios',
  question: '¿Ya no quieres recibir recordatorios por correo?',
  button: 'Desactivar los recordatorios',
  done: 'Ya no recibirás recordatorios. Puedes volver a activarlos en los ajustes.',
};

/** @param language of `request.acceptsLanguages('en', 'es')` */
type Language = string | false;

/** The page whose button turns reminders off: its form is sent to its own address. */
export const unsubscribePage = (language: Language): string =>
  page(
    language,
    ({ question, button }) => `<p>${question}</p>
<form method="post"><button>${button}</button></form>`,
  );

/** The page after that. */
export const unsubscribedPage = (language: Language): string =>
  page(language, ({ done }) => `<p>${done}</p>`);

function page(language: Language, body: (texts: Texts) => string): string {
  const isSpanish = language === 'es';
  const texts = isSpanish ? SPANISH : ENGLISH;
  return `<!doctype html>
<html lang="${isSpanish ? 'es' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
</head>
<body>
<main>
<h1>${texts.title}</h1>
${body(texts)}
</main>
</body>
</html>
`;
}
