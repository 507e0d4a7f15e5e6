import type { LinkMailText } from '../../platform/mail/link-mail.js';

export const SPANISH: LinkMailText = {
  language: 'es-MX',
  subject: 'Confirma tus recordatorios',
  paragraphs: ({ email, link, until }) => [
    'Hola:',
    `Alguien, probablemente tú, activó los recordatorios de la cuenta ${email}: un correo al día como máximo, los días en que hay algo por pagar. Para recibirlos en esta dirección, abre este enlace:`,
    link,
    `El enlace se puede usar una sola vez, hasta el ${until}. Antes no se envía ningún recordatorio.`,
    'Si no fuiste tú, ignora este correo: no se envía ningún recordatorio.',
  ],
};
