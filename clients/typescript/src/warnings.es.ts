import type { WarningTexts } from './warnings.js';

const INACTIVE_METHOD = 'Hay recurrentes con formas de pago que no están activas: {names}.';
const STALE_RATE =
  'Se convierten con un tipo de cambio de hace más de 35 días: {names}. Su monto en dólares puede cambiar.';
const BELOW_ZERO = 'El saldo cae por debajo de cero el {first}. Lo más bajo: {lowest}.';

export const SPANISH_WARNINGS: WarningTexts = {
  preview: {
    name_taken: 'Otro ciclo tiene este nombre.',
    overlaps_cycle: 'Otro ciclo tiene algunos de estos días: {ranges}.',
    gap_to_previous:
      '{days} días entre este ciclo y el anterior, {ranges}, no estarían en ningún ciclo.',
    inactive_payment_method: INACTIVE_METHOD,
    future_rate: 'Se convierten con un tipo de cambio posterior a su fecha: {names}.',
    stale_rate: STALE_RATE,
    negative_balance: BELOW_ZERO,
    over_limit: 'Se planea más que el límite: {names}.',
  },
  forecast: {
    negative_balance: BELOW_ZERO,
    stale_rate: STALE_RATE,
    inactive_payment_method: INACTIVE_METHOD,
    days_without_cycle: 'Ningún ciclo tiene estos días: {ranges}.',
    ended_cycles: 'Hay ciclos que terminaron y no se han cerrado: {names}.',
    overlaps_cycle: 'Estos ciclos comparten días: {names}.',
    inactive_balance: 'Hay saldos de formas de pago que no están activas, y no cuentan: {names}.',
    open_in_completed_cycles:
      'Hay ciclos cerrados con gastos o ingresos pendientes, que no cuentan: {names}.',
    repeated_income_amount:
      'El ingreso de {names}, {amount}, cuenta {times} veces en los ciclos siguientes: {total} en total.',
    days_in_completed_cycles:
      'Solo ciclos cerrados tienen estos días, en los que nada cuenta: {ranges}.',
  },
  cases: {
    gapOfOneDay: '1 día entre este ciclo y el anterior, {ranges}, no estaría en ningún ciclo.',
    belowMinimum: 'El saldo cae por debajo del mínimo el {first}. Lo más bajo: {lowest}.',
  },
  parts: {
    ofLimit: '{name} ({amount} de {limit})',
    more: '{list} y {count} más',
    others: '{list} y otros',
  },
};
