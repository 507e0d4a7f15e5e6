import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.js';

const GENERATED_BYTES = 15;

export interface ChosenPassword {
  password: string;
  /** Made here: it must be shown, for nobody knows it yet. */
  isGenerated: boolean;
}

/**
 * A password that never stands among the arguments, where the shell's history and the list of processes
 * would show it: made at random, typed twice at a prompt, or the first line of a piped input.
 *
 * @throws CommandError
 */
export async function choosePassword(generate: boolean): Promise<ChosenPassword> {
  if (generate) {
    return { password: randomBytes(GENERATED_BYTES).toString('base64url'), isGenerated: true };
  }
  const password = process.stdin.isTTY ? await typedTwice() : await firstPipedLine();
  return { password, isGenerated: false };
}

async function firstPipedLine(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  if (line === '') {
    throw new CommandError('No password came in; pipe one in, or use --generate-password');
  }
  return line;
}

async function typedTwice(): Promise<string> {
  const password = await ask('Password: ');
  if ((await ask('Once more: ')) !== password) throw new CommandError('The two are not the same');
  return password;
}

/** Shows nothing of what is typed. */
async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const cancel = new AbortController();
  // Ctrl+C and Ctrl+D; after an answer it is of no consequence.
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
