import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CommandError } from './command-error.js';

const GENERATED_BYTES = 15;

export interface ChosenPassword {
  password: string;
  /** Generated, so that it must be printed. */
  isGenerated: boolean;
}

/**
 * Reads a password from a prompt or the first line of piped input, or generates one. It is never an
 * argument, which the shell history and the process list would show.
 *
 * @throws CommandError
 */
export async function choosePassword(generate: boolean): Promise<ChosenPassword> {
  if (generate) {
    return { password: randomBytes(GENERATED_BYTES).toString('base64url'), isGenerated: true };
  }
  const password = process.stdin.isTTY ? await promptTwice() : await firstPipedLine();
  return { password, isGenerated: false };
}

async function firstPipedLine(): Promise<string> {
  const [line = ''] = decode(await buffer(process.stdin)).split(/\r?\n/);
  if (line === '') {
    throw new CommandError('No password in the input; pipe a password, or use --generate-password');
  }
  return line;
}

/** Any other encoding would be stored as a password that its user cannot type. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = (): CommandError =>
  new CommandError('The password is not in UTF-8; set the terminal or the file to UTF-8');

async function promptTwice(): Promise<string> {
  const password = await promptHidden('Password: ');
  // What the terminal's bytes in another encoding are read as.
  if (password.includes('\uFFFD')) throw notUtf8();
  if ((await promptHidden('Repeat password: ')) !== password)
    throw new CommandError('The passwords do not match');
  return password;
}

/** Prompts for a password without echo. */
async function promptHidden(question: string): Promise<string> {
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: noOutput, terminal: true });
  const cancel = new AbortController();
  // Emitted on Ctrl+C and Ctrl+D; has no effect after an answer.
  prompt.once('close', () => cancel.abort());
  process.stderr.write(question);
  try {
    return await prompt.question('', { signal: cancel.signal });
  } catch (error) {
    throw cancel.signal.aborted ? new CommandError('Cancelled') : error;
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
