import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { todayIn, type TodayIn } from '../../platform/values/time-zone.js';

/** The day of all users of the sandbox. */
export class SandboxDay {
  private day: CalendarDate | null;

  /** @param initial null: that of the clock in the time zone of each user */
  constructor(private readonly initial: CalendarDate | null) {
    this.day = initial;
  }

  /** @param day null: that of the clock; undefined: the initial one */
  set(day: CalendarDate | null | undefined): void {
    this.day = day === undefined ? this.initial : day;
  }

  /** What the settings have as `todayIn`. */
  readonly todayIn: TodayIn = (timeZone) => this.day ?? todayIn(timeZone);
}
