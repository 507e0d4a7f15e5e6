/**
 * A log message with fields. In JSON the fields are properties of the record, in text `name=value`
 * pairs before the message, unless it has a text of its own. Undefined fields are omitted.
 */
export class LogEntry {
  constructor(
    readonly fields: Record<string, string | number | boolean | undefined>,
    readonly message: string,
    private readonly text?: string,
  ) {}

  toString(): string {
    if (this.text !== undefined) return this.text;
    const defined = Object.entries(this.fields).filter(([, value]) => value !== undefined);
    return [...defined.map(([name, value]) => `${name}=${String(value)}`), this.message].join(' ');
  }
}
