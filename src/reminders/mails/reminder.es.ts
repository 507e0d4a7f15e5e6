import type { ReminderText } from './reminder.js';

export const SPANISH: ReminderText = {
  locale: 'es-MX',
  longMonth: 'long',
  money: (number, currency) => (currency === 'USD' ? `US$${number}` : `$${number} MXN`),
  counts: {
    overdue: (count) => `${count} ${count === 1 ? 'vencido' : 'vencidos'}`,
    due: (count, day) => `${count} por pagar ${day === null ? 'hoy' : `hasta el ${day}`}`,
    late: (count) => (count === 1 ? '1 ingreso no ha llegado' : `${count} ingresos no han llegado`),
    belowZero: (day) => (day === null ? 'bajo cero hoy' : `bajo cero el ${day}`),
  },
  free: (amount, day) => [`Puedes gastar ${amount} hasta que te paguen,`, `el ${day}.`],
  freeWithoutPayDay: (amount, day) => [
    `Puedes gastar ${amount} hasta el`,
    `${day}, el fin del plan.`,
  ],
  belowZero: (balance, day) =>
    day === null
      ? ['Tu saldo baja de cero hoy:', `el plan deja ${balance}.`]
      : [`Tu saldo baja de cero el ${day}:`, `ese día el plan deja ${balance}.`],
  headings: {
    overdue: 'Vencido',
    due: (day) => (day === null ? 'Por pagar hoy' : `Por pagar hasta el ${day}`),
    late: 'No ha llegado, y no se cuenta en lo que puedes gastar',
  },
  more: (count) => `y ${count} más`,
  turnedOn: (time, days) => `Activaste los recordatorios: ${time}, ${daysBefore(days)}.`,
  turnOff: 'Desactívalos:',
  turnOffInSettings: 'Desactívalos en los ajustes.',
};

const daysBefore = (days: number): string =>
  days === 0 ? 'el mismo día' : `${days} ${days === 1 ? 'día' : 'días'} antes`;
