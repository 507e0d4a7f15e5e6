/** A line of the log with fields: members of the record in JSON, in front of the message in text. */
export class LogEntry {
  constructor(
    readonly fields: Record<string, unknown>,
    readonly message: string,
  ) {}

  toString(): string {
    return [...Object.values(this.fields), this.message].join(' ');
  }
}
