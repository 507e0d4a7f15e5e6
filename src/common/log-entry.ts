/**
 * A line of the log with fields: members of the record in JSON, in front of the message in text. One that is
 * undefined is in neither.
 */
export class LogEntry {
  constructor(
    readonly fields: Record<string, string | number | boolean | undefined>,
    readonly message: string,
  ) {}

  toString(): string {
    const values = Object.values(this.fields).filter((value) => value !== undefined);
    return [...values, this.message].join(' ');
  }
}
