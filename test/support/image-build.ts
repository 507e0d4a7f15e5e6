import dockerignore from '@balena/dockerignore';
import { DockerfileParser, type Copy, type Env, type From, type Instruction } from 'dockerfile-ast';
import { execFile } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, posix, relative } from 'node:path';
import { promisify } from 'node:util';

export interface Owner {
  uid: number;
  gid: number;
}

/** A folder that stands for a file system, and what the instructions have said of it so far. */
export interface Image {
  root: string;
  workdir: string;
  env: Record<string, string>;
  user?: Owner;
  volumes: string[];
  command: string[];
  healthCheck: string[];
  stopSignal: string;
}

/** The user "node" of the base image. */
const NODE_USER: Owner = { uid: 1000, gid: 1000 };
const NODE_HOME = 'home/node';

/** How this machine reaches packages; of the rest of its environment a build sees nothing. */
const REACHES_PACKAGES =
  /^(path|home|https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(cache|registry|userconfig|cafile))$/i;

const NPM_SETTINGS = {
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fetch_retries: '1',
  npm_config_fetch_timeout: '20000',
};

const OFFLINE =
  /\b(ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT)\b/;

/** Only root can become another user, or give files away. */
export const isRoot = process.getuid?.() === 0;

/**
 * Builds an image without a container engine: each stage is a folder, where each instruction of the
 * Dockerfile does what it does in a build. The base image is this machine.
 */
export class ImageBuild {
  private readonly stages = new Map<string, Image>();
  private readonly isIgnored: (path: string) => boolean;
  private readonly modules: string;
  private image: Image | undefined;

  constructor(
    private readonly context: string,
    private readonly folder: string,
  ) {
    const rules = dockerignore.default().add(readFileSync(join(context, '.dockerignore'), 'utf8'));
    this.isIgnored = (path) => rules.ignores(path);
    this.modules = join(context, 'node_modules');
  }

  /** The image of the last stage. */
  async run(): Promise<Image> {
    const dockerfile = readFileSync(join(this.context, 'Dockerfile'), 'utf8');
    for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
      await this.carryOut(instruction);
    }
    return this.current;
  }

  private get current(): Image {
    if (!this.image) throw new Error('The Dockerfile does not begin with FROM');
    return this.image;
  }

  private async carryOut(instruction: Instruction): Promise<void> {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const text = instruction.getArgumentsContent() ?? '';
    switch (instruction.getKeyword()) {
      case 'FROM':
        this.from(instruction as From);
        break;
      case 'WORKDIR':
        this.current.workdir = text;
        mkdirSync(inImage(this.current), { recursive: true });
        break;
      case 'COPY':
        this.copy(instruction as Copy, words);
        break;
      case 'RUN':
        await this.runCommand(text);
        break;
      case 'ENV':
        for (const property of (instruction as Env).getProperties()) {
          this.current.env[property.getName()] = property.getValue() ?? '';
        }
        break;
      case 'USER':
        this.current.user = toOwner(text);
        break;
      case 'VOLUME':
        this.current.volumes.push(...words);
        break;
      case 'CMD':
        this.current.command = execForm(text);
        break;
      case 'HEALTHCHECK':
        this.current.healthCheck = execForm(text);
        break;
      case 'STOPSIGNAL':
        this.current.stopSignal = text;
        break;
      case 'ARG':
      case 'EXPOSE':
      case 'LABEL':
        break;
      default:
        throw new Error(`${instruction.getKeyword()} is not known here`);
    }
  }

  private from(from: From): void {
    const parent = this.stages.get(from.getImage() ?? '');
    const name = from.getBuildStage() ?? 'final';
    const root = join(this.folder, name);
    const home = join(root, NODE_HOME);
    mkdirSync(home, { recursive: true });
    if (parent) cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
    if (isRoot) chownSync(home, NODE_USER.uid, NODE_USER.gid);
    this.image = {
      workdir: '/',
      command: [],
      healthCheck: [],
      stopSignal: 'SIGTERM',
      ...parent,
      root,
      env: { ...parent?.env },
      volumes: [...(parent?.volumes ?? [])],
    };
    this.stages.set(name, this.image);
  }

  /** What comes from another stage is moved, which is much quicker; nothing takes it twice. */
  private copy(copy: Copy, words: string[]): void {
    const stageName = copy.getFromFlag()?.getValue();
    const stage = this.stages.get(stageName ?? '');
    if (stageName && !stage) throw new Error(`There is no stage ${stageName}`);

    const to = words.at(-1) ?? '';
    const target = inImage(this.current, to);
    for (const word of words.slice(0, -1)) {
      const source = stage ? inImage(stage, word) : join(this.context, word);
      const isIntoFolder =
        !statSync(source).isDirectory() && (to.endsWith('/') || existsSync(target));
      const destination = isIntoFolder ? join(target, basename(source)) : target;
      if (stage) renameSync(source, destination);
      else this.copyFromContext(source, destination);
    }
  }

  private copyFromContext(source: string, destination: string): void {
    const isIncluded = (path: string): boolean =>
      statSync(path).isDirectory() || !this.isIgnored(relative(this.context, path));
    if (!isIncluded(source)) throw new Error(`${source} is in .dockerignore`);
    cpSync(source, destination, { recursive: true, filter: isIncluded });
  }

  private async runCommand(command: string): Promise<void> {
    const isInstall = command.startsWith('npm ci ');
    if (isInstall && !command.includes('--omit')) {
      this.linkOwnModules();
      return;
    }
    try {
      await this.shell(command);
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (!isInstall || !OFFLINE.test(stderr)) {
        throw new Error(`RUN ${command}\n${stdout}${stderr}`, { cause: error });
      }
      // No network, and npm has no copy either.
      const modules = inImage(this.current, 'node_modules');
      cpSync(this.modules, modules, { recursive: true, verbatimSymlinks: true });
      await this.shell(command.replace('npm ci', 'npm prune'));
    }
  }

  /** This project's own packages were installed just so, from the same lock file; again takes minutes. */
  private linkOwnModules(): void {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      if (!existsSync(inImage(this.current, file))) throw new Error(`npm ci finds no ${file}`);
    }
    symlinkSync(this.modules, inImage(this.current, 'node_modules'));
  }

  private async shell(command: string): Promise<void> {
    const { env, user } = this.current;
    const reach = Object.entries(process.env).filter(([name]) => REACHES_PACKAGES.test(name));
    await promisify(execFile)('/bin/sh', ['-c', command], {
      cwd: inImage(this.current),
      env: { ...Object.fromEntries(reach), ...NPM_SETTINGS, ...env },
      ...(isRoot ? user : {}),
    });
  }
}

/** Where a path of the image is on this machine; without one, its working folder. */
export function inImage({ root, workdir }: Image, path = ''): string {
  return join(root, posix.resolve(workdir, path));
}

/** As an array, which no shell comes in between for. */
function execForm(text: string): string[] {
  const array = /\[.*\]$/s.exec(text)?.[0];
  if (array === undefined) throw new Error(`Not in exec form: ${text}`);
  return JSON.parse(array) as string[];
}

function toOwner(text: string): Owner {
  const [uid = NaN, gid = NaN] = text.split(':').map(Number);
  if (!(uid > 0 && gid > 0)) throw new Error(`USER ${text} may be root`);
  return { uid, gid };
}
