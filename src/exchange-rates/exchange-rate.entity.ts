import type { Big } from 'big.js';
import { Check, Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { INSTANT, RATE } from '../platform/database/columns.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../platform/values/currency.js';

/** The value of one unit of `fromCurrency` in `toCurrency` on a date. */
@Entity('exchange_rates')
@Unique('uq_exchange_rates_pair_date', ['fromCurrency', 'toCurrency', 'rateDate'])
@Check('ck_exchange_rates_rate', 'rate > 0')
export class ExchangeRate {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ name: 'from_currency', type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  fromCurrency!: CurrencyCode;

  @Column({ name: 'to_currency', type: 'enum', enum: CURRENCY_CODES, enumName: 'currency_code' })
  toCurrency!: CurrencyCode;

  @Column(RATE)
  rate!: Big;

  @Column({ name: 'rate_date', type: 'date' })
  rateDate!: CalendarDate;

  @CreateDateColumn({ ...INSTANT, name: 'created_at' })
  createdAt!: Date;
}
