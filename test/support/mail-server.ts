import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { eventually } from './eventually.js';

/** A mail that a server has taken. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** By name in lower case. */
  headers: Record<string, string>;
  text: string;
  isEncrypted: boolean;
  /** Of the authentication; undefined without one. */
  user: string | undefined;
}

/** What a server decides on, with the address or the text of the mail. */
type Step = (step: 'connection' | 'sender' | 'recipient' | 'text', value: string) => unknown;

/** What a server answers to refuse something: a {@link Step} throws it. */
export const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** A server that keeps the mails it takes. Without options it requires no authentication. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** So many of the next connections are closed at once. */
  connectionsToClose = 0;
  /** Before each step is taken; it may take its time. */
  onStep: Step = () => undefined;
  private readonly server: SMTPServer;

  constructor(
    options: SMTPServerOptions = {},
    readonly host = '127.0.0.1',
  ) {
    this.server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      onConnect: (_session, done) => this.decide('connection', '', done),
      onMailFrom: ({ address }, _session, done) => this.decide('sender', address, done),
      onRcptTo: ({ address }, _session, done) => this.decide('recipient', address, done),
      onData: (stream, { envelope, secure, user }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const parsed = parseMail(Buffer.concat(chunks).toString('latin1'));
          this.decide('text', parsed.text, (error) => {
            if (!error) {
              this.mails.push({
                from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
                to: envelope.rcptTo.map(({ address }) => address),
                ...parsed,
                isEncrypted: secure,
                user: user as string | undefined,
              });
            }
            done(error);
          });
        });
      },
      ...options,
    });
    // Of clients that give up.
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => {
      if (this.connectionsToClose === 0) return;
      this.connectionsToClose -= 1;
      socket.destroy();
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, this.host, resolve);
    });
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }

  private decide(...[step, value, done]: [...Parameters<Step>, (error?: Error) => void]): void {
    Promise.resolve(value)
      .then(() => this.onStep(step, value))
      .then(() => done(), done);
  }

  /** The mails to an address, once there are so many. */
  async mailsTo(address: string, number = 1): Promise<ReceivedMail[]> {
    const received = (): ReceivedMail[] => this.mails.filter(({ to }) => to.includes(address));
    await eventually(`mails to ${address}`, () => received().length >= number);
    return received();
  }
}

/** The link in a mail, which is a line of its own. */
export const linkIn = ({ text }: Pick<ReceivedMail, 'text'>): string =>
  /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '';

/** The token in the link of a mail. */
export const tokenIn = (mail: Pick<ReceivedMail, 'text'>): string =>
  /[\w-]{43}/.exec(linkIn(mail))?.[0] ?? '';

/** @param source in Latin-1, with text in UTF-8 that is encoded */
export function parseMail(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  const body = rest.join('\r\n\r\n').replaceAll('\r\n', '\n');
  const decode = DECODERS[headers['content-transfer-encoding'] ?? '7bit'];
  if (!decode) throw new Error(`A text in ${headers['content-transfer-encoding']}`);
  return { headers, text: decode(body) };
}

/** By the transfer encoding. Not quoted-printable, which breaks links over lines. */
const DECODERS: Record<string, (body: string) => string> = {
  '7bit': (body) => body,
  base64: (body) => Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n'),
};
