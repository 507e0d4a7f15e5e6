import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addDays,
  dayNumber,
  dayOfWeek,
  type CalendarDate,
} from '../../src/platform/values/calendar-date.js';

export interface SourceRate {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

export const isWeekend = (date: CalendarDate): boolean =>
  [0, 6].includes(dayOfWeek(dayNumber(date)));

/** A server with the API of Frankfurter v2 that has the rates of weekdays. */
export class RatesServer {
  url = '';
  /** The queries of all requests. */
  readonly queries: Record<string, string>[] = [];
  /** The rate of each day. */
  rate = 0.06;
  /** Replaces the response. */
  respond?: (response: ServerResponse) => void;

  private readonly server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const query = Object.fromEntries(searchParams);
    this.queries.push(query);
    if (this.respond) this.respond(response);
    else if (pathname !== '/v2/rates') response.writeHead(404).end('{"message":"not found"}');
    else response.end(JSON.stringify(this.ratesBetween(query)));
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private ratesBetween({ from = '', to = '' }: Record<string, string>): SourceRate[] {
    const rates: SourceRate[] = [];
    for (let date = from; date <= to; date = addDays(date, 1)) {
      if (!isWeekend(date)) rates.push({ date, base: 'MXN', quote: 'USD', rate: this.rate });
    }
    return rates;
  }
}
