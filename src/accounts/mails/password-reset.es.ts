import type { LinkMailText } from '../../platform/mail/link-mail.js';

export const SPANISH: LinkMailText = {
  language: 'es-MX',
  subject: 'Restablece tu contraseña',
  paragraphs: ({ email, link, until }) => [
    'Hola:',
    `Alguien, probablemente tú, pidió una contraseña nueva para la cuenta ${email}. Para elegirla, abre este enlace:`,
    link,
    `El enlace se puede usar una sola vez, hasta el ${until}.`,
    'Una contraseña nueva termina todas las sesiones y los tokens de acceso personal de la cuenta.',
    'Si no fuiste tú, ignora este correo: tu contraseña no cambia. No compartas el enlace con nadie.',
  ],
};
