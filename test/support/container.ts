import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { inImage, isRoot, type Image } from './image-build.js';

const HEALTHY_WITHIN_MS = 90_000;
const ASK_AGAIN_AFTER_MS = 250;

/** Runs the commands of an image as a container would: its user, its environment, its code read-only. */
export class Container {
  private process: ChildProcess | undefined;
  private log = '';

  private constructor(
    private readonly image: Image,
    private readonly env: Record<string, string>,
  ) {}

  static async of(image: Image): Promise<Container> {
    const bin = inImage(image, '/usr/local/bin');
    mkdirSync(bin, { recursive: true });
    copyFileSync(process.execPath, join(bin, 'node'));
    await promisify(execFile)('chmod', ['-R', 'a+rX,a-w', image.root]);
    for (const volume of image.volumes) {
      await promisify(execFile)('chmod', ['u+w', inImage(image, volume)]);
    }
    return new Container(image, {
      ...mapVolumes(image),
      PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
      TMPDIR: inImage(image, '/tmp'),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
    });
  }

  get origin(): string {
    return `http://${this.env.HOST ?? ''}:${this.env.PORT ?? ''}`;
  }

  get output(): string {
    return this.log;
  }

  start(): void {
    const child = this.spawn(this.image.command);
    child.stdout?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.process = child;
  }

  /** What a command prints, and how it ends. */
  async exec(command: string[]): Promise<{ code: number; output: string }> {
    const child = this.spawn(command);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  async isHealthy(): Promise<boolean> {
    return (await this.exec(this.image.healthCheck)).code === 0;
  }

  async untilHealthy(): Promise<void> {
    const deadline = Date.now() + HEALTHY_WITHIN_MS;
    while (!(await this.isHealthy())) {
      if (Date.now() > deadline || this.process?.exitCode !== null) throw new Error(this.log);
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_AFTER_MS));
    }
  }

  /** The exit code, or the signal that it took. */
  async stop(signal = this.image.stopSignal): Promise<number | string | null> {
    const child = this.process;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal as NodeJS.Signals);
      await once(child, 'exit');
    }
    return child.exitCode ?? child.signalCode;
  }

  private spawn([command = '', ...parameters]: string[]): ChildProcess {
    return spawn(command, parameters, {
      cwd: inImage(this.image),
      env: this.env,
      ...(isRoot ? this.image.user : {}),
    });
  }
}

/** The paths of volumes in the environment are those of the image; here they are elsewhere. */
function mapVolumes(image: Image): Record<string, string> {
  const entries = Object.entries(image.env).map(([name, value]) => [
    name,
    image.volumes.includes(value) ? inImage(image, value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
