import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { OPENAPI_DOCUMENT } from './generated-clients.js';
import { freePort } from './ports.js';

const PROGRAM = fileURLToPath(
  new URL('../../tools/node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url),
);

/** The program Prism, which reads the OpenAPI document, with its log. */
export class Prism {
  private log = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  /** Starts a server that responds with the examples of the document. */
  static mock(): Promise<Prism> {
    return Prism.start('mock', OPENAPI_DOCUMENT);
  }

  /**
   * Starts a proxy that compares requests and responses with the document, and responds with an
   * error of its own (`application/problem+json`) to what differs.
   * @param upstream the origin of the service
   */
  static proxy(upstream: string): Promise<Prism> {
    return Prism.start('proxy', OPENAPI_DOCUMENT, upstream, '--errors');
  }

  private static async start(...args: string[]): Promise<Prism> {
    const port = await freePort();
    const child = spawn(process.execPath, [PROGRAM, ...args, '--port', String(port)], {
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
    });
    const prism = new Prism(`http://127.0.0.1:${port}`, child);
    await eventually('Prism to listen', () => {
      if (child.exitCode !== null) throw new Error(`Prism exited:\n${prism.log}`);
      return prism.log.includes('Prism is listening');
    });
    return prism;
  }

  /** The lines of the log about requests that differ from the document, and about failures. */
  get problems(): string[] {
    return this.log.split('\n').filter((line) => /\b(warning|error|fatal)\b/.test(line));
  }

  /** Waits for a line about a problem: the log arrives after the response. */
  async waitForProblem(text: string): Promise<void> {
    await eventually(`${text} in the log of Prism`, () =>
      this.problems.some((line) => line.includes(text)),
    );
  }

  /** Waits until the log has the given number of responses of the service. */
  async waitForForwarded(count: number): Promise<void> {
    await eventually(
      `${count} responses in the log of Prism`,
      () => this.log.split('Received forward response').length > count,
    );
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}
