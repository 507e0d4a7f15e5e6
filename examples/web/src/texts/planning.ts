import { catalogue } from './catalogue';

const ordinal = (n: number): string => {
  const ending = { one: 'st', two: 'nd', few: 'rd' } as Record<string, string>;
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(n);
  return `${n}${ending[rule] ?? 'th'}`;
};
const on = (day: number) => (day === 31 ? 'on the last day' : `on the ${ordinal(day)}`);
const el = (day: number) => (day === 31 ? 'el último día' : `el día ${day}`);
/** The first names, and how many more there are. */
const someOf = (names: string[], and: string, more: string) =>
  names.length > 4
    ? `${names.slice(0, 3).join(', ')} ${and} ${names.length - 3} ${more}`
    : names.join(', ');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a warning is about, as far as it has it. */
export interface WarningFacts {
  names: string[];
  /** The days of the cycles. */
  ranges: string;
  count: number;
  first: string;
  lowest: string;
}

export const planningTexts = catalogue({
  en: {
    rule: {
      days: (n: number) => (n === 1 ? 'Every day' : `Every ${n} days`),
      weeks: (n: number, weekday: string) =>
        n === 1
          ? `Every ${weekday}`
          : n === 2
            ? `Every second ${weekday}`
            : `Every ${n} weeks on ${weekday}`,
      months: (n: number, day: number) =>
        n === 1 ? `${capital(on(day))} of each month` : `Every ${n} months ${on(day)}`,
      someMonths: (day: number) => `On the ${ordinal(day)}, in months that have it`,
      years: (n: number, day: number, month: string) =>
        `${n === 1 ? 'Every year' : `Every ${n} years`} on ${day} ${month}`,
      other: 'Another interval',
    },
    template: {
      kind: 'Kind',
      repeats: 'Repeats',
      comes: 'Comes',
      every: 'Every',
      unit: 'Unit',
      units: { days: 'days', weeks: 'weeks', months: 'months', years: 'years' },
      firstOn: 'First on',
      endsOn: 'Ends on',
      noEnd: 'No end',
      weekend: 'On a weekend',
      weekends: { keep: 'Stays on that day', before: 'Friday before', after: 'Monday after' },
      methodKind: 'Kind of payment',
      methods: { debit: 'Debit card', credit: 'Credit card', cash: 'Cash', transfer: 'Transfer' },
      next: { income: 'Next pay days', expense: 'Next due dates' },
      noneNext: (to: string) => `None until ${to}`,
      more: (n: number, to: string) => `and ${n} more until ${to}`,
      insteadOf: (day: string) => `instead of ${day}`,
      present: (name: string, amount: string) =>
        `Changed elsewhere; if you save, yours replaces it: ${name}, ${amount}.`,
    },
    recurring: {
      title: 'Recurring',
      income: {
        title: 'Incomes',
        add: 'Add an income',
        first: 'When are you paid?',
        why: 'Add every income that repeats: a cycle then has its pay days.',
      },
      expense: {
        title: 'Expenses',
        add: 'Add an expense',
        first: 'Which bills repeat?',
        why: 'Rent, school, phone: each cycle then gets its own by itself.',
      },
      show: 'Which are shown',
      shown: { active: 'Active', inactive: 'Inactive' },
      next: 'Next',
      nextOn: (day: string) => `next ${day}`,
      usually: (amount: string) => `Use ${amount}, as usual`,
      use: 'Use',
      useFor: (name: string, amount: string) => `Use ${amount} for ${name}`,
      noneInactive: 'None is inactive',
    },
    budgets: {
      title: 'Budgets',
      paid: 'Paid',
      planned: 'Planned',
      leftOf: (limit: string) => `left of ${limit}`,
      over: (amount: string) => `${amount} over`,
      limit: (limit: string) => `limit ${limit}`,
      add: 'Add a budget',
      limitLabel: 'Limit per cycle',
      limitHint: 'Empty: no limit',
      noLimit: 'no limit',
      scope: 'Applies to',
      thisCycle: (days: string) => `This cycle too, ${days}`,
      laterCycles: 'Later cycles only',
      inCycle: (days: string) => `This cycle, ${days}`,
      noCycle: 'No cycle includes today',
      none: 'What may a cycle spend?',
      noneText: 'Give groceries or transport a limit; the bars then show what is left.',
      inactive: 'Inactive',
    },
    next: {
      title: 'Next cycle',
      plan: 'Plan',
      starts: 'Starts on',
      ends: 'Ends on',
      opening: 'Balance at the start',
      create: 'Create this cycle',
      created: (name: string) => `${name} created`,
      incomes: 'Incomes',
      expenses: 'Expenses',
      remains: 'Remains',
      lowest: 'Lowest',
      preview: 'Preview',
      noExpenses: 'No recurring expense is due in these days.',
      noIncomes: 'No recurring income comes in these days.',
    },
    warnings: {
      name_taken: () => 'Another cycle has this name.',
      overlaps_cycle: ({ ranges }: WarningFacts) =>
        `Another cycle has some of these days: ${ranges}.`,
      gap_to_previous: ({ count, ranges }: WarningFacts) =>
        `${count === 1 ? '1 day' : `${count} days`} between it and the previous cycle, ${ranges}, would be in no cycle.`,
      inactive_payment_method: ({ names }: WarningFacts) =>
        `Recurring entries use payment methods that are not active: ${someOf(names, 'and', 'more')}.`,
      future_rate: ({ names }: WarningFacts) =>
        `Exchange rates later than their dates would convert ${someOf(names, 'and', 'more')}.`,
      stale_rate: ({ names }: WarningFacts) =>
        `Exchange rates more than 35 days old would convert ${someOf(names, 'and', 'more')}; what they cost in dollars may change.`,
      negative_balance: ({ first, lowest }: WarningFacts) =>
        `The balance falls below zero on ${first}. Lowest: ${lowest}.`,
      over_limit: ({ names }: WarningFacts) =>
        `More is planned than the limit of: ${someOf(names, 'and', 'more')}.`,
    },
    deactivate: { label: 'Deactivate', done: (name: string) => `${name} deactivated` },
    reactivate: { label: 'Reactivate', done: (name: string) => `${name} is active again` },
    ofLimit: (name: string, amount: string, limit: string) => `${name} (${amount} of ${limit})`,
  },
  es: {
    rule: {
      days: (n: number) => (n === 1 ? 'Cada día' : `Cada ${n} días`),
      weeks: (n: number, weekday: string) =>
        n === 1
          ? `Cada ${weekday}`
          : n === 2
            ? `Un ${weekday} sí y otro no`
            : `Cada ${n} semanas, en ${weekday}`,
      months: (n: number, day: number) =>
        n === 1 ? `${capital(el(day))} de cada mes` : `Cada ${n} meses, ${el(day)}`,
      someMonths: (day: number) => `El día ${day}, en los meses que lo tienen`,
      years: (n: number, day: number, month: string) =>
        `${n === 1 ? 'Cada año' : `Cada ${n} años`}, el ${day} de ${month}`,
      other: 'Otro intervalo',
    },
    template: {
      kind: 'Clase',
      repeats: 'Se repite',
      comes: 'Llega',
      every: 'Cada',
      unit: 'Unidad',
      units: { days: 'días', weeks: 'semanas', months: 'meses', years: 'años' },
      firstOn: 'Primera vez',
      endsOn: 'Termina',
      noEnd: 'Sin fin',
      weekend: 'En fin de semana',
      weekends: { keep: 'Queda ese día', before: 'Viernes anterior', after: 'Lunes siguiente' },
      methodKind: 'Clase de pago',
      methods: {
        debit: 'Tarjeta de débito',
        credit: 'Tarjeta de crédito',
        cash: 'Efectivo',
        transfer: 'Transferencia',
      },
      next: { income: 'Próximos días de cobro', expense: 'Próximas fechas' },
      noneNext: (to: string) => `Ninguna hasta el ${to}`,
      more: (n: number, to: string) => `y ${n} más hasta el ${to}`,
      insteadOf: (day: string) => `en vez de ${day}`,
      present: (name: string, amount: string) =>
        `Cambió en otro lugar; si guardas, lo tuyo lo reemplaza: ${name}, ${amount}.`,
    },
    recurring: {
      title: 'Recurrentes',
      income: {
        title: 'Ingresos',
        add: 'Agregar un ingreso',
        first: '¿Cuándo cobras?',
        why: 'Agrega cada ingreso que se repite: el ciclo tendrá sus días de cobro.',
      },
      expense: {
        title: 'Gastos',
        add: 'Agregar un gasto',
        first: '¿Qué pagos se repiten?',
        why: 'Renta, escuela, teléfono: cada ciclo tendrá los suyos sin que hagas nada.',
      },
      show: 'Cuáles se muestran',
      shown: { active: 'Activos', inactive: 'Inactivos' },
      next: 'Próximo',
      nextOn: (day: string) => `próximo: ${day}`,
      usually: (amount: string) => `normalmente ${amount}`,
      use: 'Usar',
      useFor: (name: string, amount: string) => `Usar ${amount} en ${name}`,
      noneInactive: 'Ninguno está inactivo',
    },
    budgets: {
      title: 'Presupuestos',
      paid: 'Pagado',
      planned: 'Planeado',
      leftOf: (limit: string) => `quedan de ${limit}`,
      over: (amount: string) => `${amount} de más`,
      limit: (limit: string) => `límite ${limit}`,
      add: 'Agregar un presupuesto',
      limitLabel: 'Límite por ciclo',
      limitHint: 'Vacío: sin límite',
      noLimit: 'sin límite',
      scope: 'Vale para',
      thisCycle: (days: string) => `También este ciclo, ${days}`,
      laterCycles: 'Solo ciclos posteriores',
      inCycle: (days: string) => `Este ciclo, ${days}`,
      noCycle: 'Ningún ciclo incluye hoy',
      none: '¿Cuánto puede gastar un ciclo?',
      noneText: 'Ponle un límite a la despensa o al transporte; las barras muestran lo que queda.',
      inactive: 'Inactivos',
    },
    next: {
      title: 'Próximo ciclo',
      plan: 'Plan',
      starts: 'Empieza',
      ends: 'Termina',
      opening: 'Saldo al inicio',
      create: 'Crear este ciclo',
      created: (name: string) => `${name}: creado`,
      incomes: 'Ingresos',
      expenses: 'Gastos',
      remains: 'Queda',
      lowest: 'Más bajo',
      preview: 'Vista previa',
      noExpenses: 'Ningún gasto recurrente cae en estos días.',
      noIncomes: 'Ningún ingreso recurrente llega en estos días.',
    },
    warnings: {
      name_taken: () => 'Otro ciclo tiene este nombre.',
      overlaps_cycle: ({ ranges }: WarningFacts) =>
        `Otro ciclo tiene algunos de estos días: ${ranges}.`,
      gap_to_previous: ({ count, ranges }: WarningFacts) =>
        `${count === 1 ? '1 día' : `${count} días`} entre este ciclo y el anterior, ${ranges}, no estarían en ningún ciclo.`,
      inactive_payment_method: ({ names }: WarningFacts) =>
        `Hay recurrentes con formas de pago que no están activas: ${someOf(names, 'y', 'más')}.`,
      future_rate: ({ names }: WarningFacts) =>
        `Se convierten con un tipo de cambio posterior a su fecha: ${someOf(names, 'y', 'más')}.`,
      stale_rate: ({ names }: WarningFacts) =>
        `Se convierten con un tipo de cambio de hace más de 35 días: ${someOf(names, 'y', 'más')}. Su costo en dólares puede cambiar.`,
      negative_balance: ({ first, lowest }: WarningFacts) =>
        `El saldo baja de cero el ${first}. Lo más bajo: ${lowest}.`,
      over_limit: ({ names }: WarningFacts) =>
        `Se planea más que el límite de: ${someOf(names, 'y', 'más')}.`,
    },
    deactivate: { label: 'Desactivar', done: (name: string) => `${name}: desactivado` },
    reactivate: { label: 'Reactivar', done: (name: string) => `${name}: activo otra vez` },
    ofLimit: (name: string, amount: string, limit: string) => `${name} (${amount} de ${limit})`,
  },
});
