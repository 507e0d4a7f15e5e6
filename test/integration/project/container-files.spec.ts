import dockerignore from '@balena/dockerignore';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser, type Label } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadSettings, SETTING_NAMES } from '../../../src/platform/config/settings.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('Dockerfile', () => {
  const text = read('Dockerfile');
  const dockerfile = DockerfileParser.parse(text);

  const [service = '', sandbox = ''] = text.split(/^FROM service.*$/m);

  function last(keyword: string, stage = service): string | null | undefined {
    const instructions = DockerfileParser.parse(stage).getInstructions();
    return instructions.findLast((each) => each.getKeyword() === keyword)?.getArgumentsContent();
  }

  it('Dockerfile passes the linter', () => {
    expect(validate(text)).toEqual([]);
  });

  it('Dockerfile uses an exact version of the Node image', () => {
    const stages = dockerfile.getFROMs().map((from) => from.getBuildStage());
    const images = dockerfile.getFROMs().map((from) => from.getImage());
    expect(images.filter((image) => !stages.includes(image))).toEqual([
      expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm-slim$/),
    ]);
  });

  it('Dockerfile runs the service directly, as a numeric user id other than root', () => {
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last('CMD')).toBe('["node", "dist/src/main.js"]');
    expect(last('STOPSIGNAL')).toBe('SIGTERM');
  });

  it('Dockerfile builds the service by default, and the sandbox as a target', () => {
    expect(text).toMatch(/\nFROM service\n$/);
    expect(last('CMD', sandbox)).toBe('["node", "dist/src/operators/sandbox/main.js"]');
    expect(sandbox).toMatch(/^ENV NODE_ENV=development [^]*HOST=0\.0\.0\.0$/m);
  });

  it('Dockerfile has the labels of package.json', () => {
    const label = dockerfile
      .getInstructions()
      .find((instruction): instruction is Label => instruction.getKeyword() === 'LABEL');
    const labels = label?.getProperties().map((each) => [each.getName(), each.getValue()]) ?? [];
    const { name, version } = JSON.parse(read('package.json')) as Record<string, string>;
    expect(Object.fromEntries(labels)).toEqual({
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.description': expect.any(String),
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': '$REVISION',
    });
  });
});

describe('.dockerignore', () => {
  const rules = dockerignore.default().add(read('.dockerignore'));

  it.each(['.env', 'data/auth-secret', '.git/config', 'node_modules/pg/package.json', 'dist/x.js'])(
    '.dockerignore excludes %s from the build context',
    (path) => {
      expect(rules.ignores(path)).toBe(true);
    },
  );

  it.each([
    'package-lock.json',
    '.npmrc',
    'src/main.ts',
    'libs/embedded-postgres/engine.worker.js',
    'scripts/create-empty-cluster.js',
  ])('.dockerignore includes %s in the build context', (path) => {
    expect(rules.ignores(path)).toBe(false);
  });
});

interface ComposeService {
  image: string;
  build?: unknown;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string | number>;
  healthcheck?: { test: string[] };
  networks: string[];
  ports?: string[];
  read_only?: boolean;
  restart: string;
  stop_grace_period?: string;
  volumes?: string[];
}

interface Compose {
  services: Record<'service' | 'postgres' | 'redis', ComposeService>;
  networks: Record<string, { internal: boolean }>;
  volumes: Record<string, unknown>;
}

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, networks, volumes } = parse(text, { merge: true }) as Compose;
  const { service, postgres, redis } = services;

  it('compose.yaml has no default for a secret', () => {
    const names = [...text.matchAll(/\$\{(\w*(?:SECRET|PASSWORD)\w*)(.*?)\}/g)];
    expect(new Set(names.map(([, name]) => name))).toEqual(
      new Set(['AUTH_SECRET', 'POSTGRES_PASSWORD']),
    );
    expect(names.filter(([, , rest]) => !rest?.startsWith(':?'))).toEqual([]);
  });

  it('compose.yaml sets only valid settings of the service', () => {
    const { POSTGRES_PASSWORD, ...environment } = service.environment ?? {};
    // Empty, so that the service does not get it from .env.
    expect(POSTGRES_PASSWORD).toBe('');
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(Object.keys(environment)));
    const secret = '0123456789abcdef'.repeat(4);
    const replaced = Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replaceAll(/\$\{\w+:\?.*?\}/g, secret),
    ]);
    const settings = loadSettings(Object.fromEntries(replaced) as Record<string, string>);
    expect(settings).toMatchObject({
      authSecret: secret,
      database: { kind: 'server', url: `postgres://expenses:${secret}@postgres:5432/expenses` },
      redisUrl: 'redis://redis:6379',
    });
    expect(postgres.environment).toMatchObject({
      POSTGRES_USER: 'expenses',
      POSTGRES_DB: 'expenses',
    });
  });

  it('compose.yaml has a longer stop grace period than the shutdown timeout', () => {
    const env = { NODE_ENV: 'production', DATA_DIR: 'memory://' };
    const { delaySeconds, timeoutSeconds } = loadSettings(env).shutdown;
    const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(delaySeconds + timeoutSeconds + 10);
  });

  it('compose.yaml starts the service after the others are healthy', () => {
    expect(service.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(postgres.healthcheck?.test).toContain('pg_isready');
    expect(redis.healthcheck?.test).toContain('redis-cli');
  });

  it('compose.yaml exposes the databases to the service only', () => {
    expect(networks.data).toEqual({ internal: true });
    for (const { ports, networks } of [postgres, redis]) {
      expect({ ports, networks }).toEqual({ ports: undefined, networks: ['data'] });
    }
    expect(service.networks).toEqual(['default', 'data']);
    expect(service.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
  });

  it('compose.yaml uses exact versions of other images, and restarts containers that exit', () => {
    expect(service.build).toBeDefined();
    for (const { image } of [postgres, redis]) expect(image).toMatch(/^\w+:\d+\.\d+-\w+$/);
    for (const { restart } of Object.values(services)) expect(restart).toBe('unless-stopped');
  });

  it('compose.yaml stores the data of PostgreSQL and temporary files in named volumes', () => {
    expect(Object.keys(volumes)).toEqual(['postgres', 'temporary-files']);
    expect(service.volumes).toEqual(['temporary-files:/home/node/data']);
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql']);
  });
});

describe('examples/compose.yaml', () => {
  const { services } = parse(read('examples/compose.yaml'), { merge: true }) as {
    services: Record<'sandbox' | 'web', ComposeService>;
  };

  it('examples/compose.yaml is reachable from this machine only, because the password is public', () => {
    for (const { ports } of Object.values(services)) {
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    }
  });

  it('examples/compose.yaml builds the front end on the base image of the service', () => {
    const text = read('examples/web/Dockerfile');
    expect(validate(text)).toEqual([]);
    const [base] = /^FROM node:\S+/m.exec(text) ?? [];
    expect(read('Dockerfile')).toContain(`${base ?? 'no image'} AS base`);
  });
});

describe('deploy/compose.citus.yaml', () => {
  const text = read('deploy/compose.citus.yaml');
  const { services } = parse(text, { merge: true, logLevel: 'silent' }) as {
    services: Record<string, ComposeService>;
  };
  const { service, distribution, nodes, ...servers } = services;

  it('deploy/compose.citus.yaml has no default for a secret', () => {
    const names = [...text.matchAll(/\$\{(\w+)(.*?)\}/g)];
    expect(new Set(names.map(([, name]) => name))).toEqual(
      new Set(['AUTH_SECRET', 'POSTGRES_PASSWORD']),
    );
    expect(names.filter(([, , rest]) => !rest?.startsWith(':?'))).toEqual([]);
  });

  it('deploy/compose.citus.yaml adds two workers, which only the service network reaches', () => {
    expect(Object.keys(servers)).toEqual(['postgres', 'worker-1', 'worker-2']);
    for (const { ports } of Object.values(services)) expect(ports).toBeUndefined();
    for (const name of ['worker-1', 'worker-2']) expect(services[name]?.networks).toEqual(['data']);
  });

  it('deploy/compose.citus.yaml starts the service once the tables are distributed over healthy nodes', () => {
    const completed = { condition: 'service_completed_successfully' };
    expect(service?.depends_on).toEqual({ distribution: completed });
    expect(distribution?.depends_on).toEqual({ nodes: completed });
    expect(Object.keys(nodes?.depends_on ?? {})).toEqual(Object.keys(servers));
  });
});

interface Container {
  env: { name: string; value: string }[];
  resources: { limits: { memory: string } };
  securityContext: object;
  startupProbe: { periodSeconds: number; failureThreshold: number };
  volumeMounts: { name: string; mountPath: string }[];
}

describe('deploy/kubernetes', () => {
  const manifest = (name: string): unknown => parse(read(`deploy/kubernetes/${name}.yaml`));
  const deployment = manifest('deployment') as {
    spec: {
      template: {
        spec: {
          containers: [Container];
          securityContext: object;
          terminationGracePeriodSeconds: number;
        };
      };
    };
  };
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const configMap = manifest('config-map') as { data: Record<string, string> };

  it('deploy/kubernetes lists every file', () => {
    const { resources } = manifest('kustomization') as { resources: string[] };
    const files = readdirSync(new URL('../../../deploy/kubernetes', import.meta.url));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
  });

  it('deploy/kubernetes sets only valid settings, and has no secret', () => {
    const names = [...Object.keys(configMap.data), ...container.env.map(({ name }) => name)];
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(names));
    const { redisUrl, metricsPort } = loadSettings({ DATA_DIR: 'memory://', ...configMap.data });
    expect({ redisUrl, metricsPort }).toEqual({
      redisUrl: 'redis://redis:6379',
      metricsPort: 9464,
    });
    const files = container.env.map(({ value }) => value);
    expect(files).toEqual([
      expect.stringContaining(`${container.volumeMounts[0]?.mountPath ?? ''}/auth-secret`),
      expect.stringContaining(`${container.volumeMounts[0]?.mountPath ?? ''}/database-url`),
    ]);
  });

  it('deploy/kubernetes satisfies the restricted security standard', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('deploy/kubernetes does not end a migration of 30 minutes', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThan(30 * 60);
  });

  it('deploy/kubernetes has a longer grace period than the shutdown timeout', () => {
    const { delaySeconds, timeoutSeconds } = loadSettings({
      NODE_ENV: 'production',
      DATA_DIR: 'memory://',
    }).shutdown;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + timeoutSeconds);
  });
});
