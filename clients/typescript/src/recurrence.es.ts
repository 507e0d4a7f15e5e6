import type { RecurrenceTexts } from './recurrence.js';

export const SPANISH_RECURRENCE: RecurrenceTexts = {
  everyDay: 'Cada día',
  everyFewDays: 'Cada {count} días',
  everyWeek: 'Cada {weekday}',
  everySecondWeek: 'Un {weekday} sí y otro no',
  everyFewWeeks: 'Cada {count} semanas, en {weekday}',
  everyMonth: 'El día {day} de cada mes',
  everyMonthEnd: 'El último día de cada mes',
  everyFewMonths: 'Cada {count} meses, el día {day}',
  everyFewMonthEnds: 'Cada {count} meses, el último día',
  someMonths: 'El día {day}, en los meses que lo tienen',
  everyYear: 'Cada año, el {date}',
  everyFewYears: 'Cada {count} años, el {date}',
  other: 'Otro intervalo',
  ordinals: { other: '{number}' },
};
