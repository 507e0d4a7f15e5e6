import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { signUp, type Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { openSocket } from '../support/raw-http.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

/** Bytes of pipelined requests per connection. */
const SENT_BYTES = 58 * 1024;
const MAX_GROWTH_MB = 150;

/** A heap too small for the responses of one connection. */
const SMALL_HEAP = '--max-old-space-size=160';

/** Creates a list of about 150 KB and returns its path. */
async function createLargeList(user: Client): Promise<string> {
  const { id } = await user.createCycle({ generate_from_templates: false });
  for (let count = 0; count < 100; count++) {
    await user.createExpense(id, { comments: 'x'.repeat(1000) });
  }
  return `/cycles/${id}/expenses`;
}

describe('clients that do not read large responses', () => {
  const processes = useProcesses(
    () => ({ RATE_LIMIT_ENABLED: 'false', NODE_OPTIONS: SMALL_HEAP }),
    'file',
  );
  let service: ServiceProcess;
  let requests: Record<string, string>;

  beforeAll(async () => {
    service = await processes.start();
    const user = await signUp(service.origin);
    const get = (path: string, ...headers: string[]): string =>
      [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
    requests = {
      'the OpenAPI document': get('/docs/openapi.json'),
      'a script of Swagger UI': get('/docs/swagger-ui-bundle.js'),
      'a list of expenses': get(
        `/api/v1${await createLargeList(user)}`,
        `Authorization: Bearer ${user.token ?? ''}`,
      ),
    };
  });

  it.each(
    ['the OpenAPI document', 'a script of Swagger UI', 'a list of expenses'].flatMap((name) =>
      [1, 20].map((connections) => ({ name, connections })),
    ),
  )(
    'clients that do not read large responses neither block the process nor exhaust its memory: $name on $connections connections',
    async ({ name, connections }) => {
      const request = requests[name] ?? '';
      const before = residentMegabytes(service);
      const sockets = await Promise.all(
        Array.from({ length: connections }, () => openSocket(Number(new URL(service.origin).port))),
      );
      let largest = before;
      try {
        for (const socket of sockets) {
          socket.pause();
          socket.write(request.repeat(Math.floor(SENT_BYTES / request.length)));
        }
        for (let look = 0; look < 30; look++) {
          expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
          largest = Math.max(largest, residentMegabytes(service));
          await setTimeout(100);
        }
        expect(largest - before).toBeLessThan(MAX_GROWTH_MB);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  );

  it('clients that do not read large responses are disconnected', async () => {
    const socket = await openSocket(Number(new URL(service.origin).port));
    socket.pause();
    const request = requests['a script of Swagger UI'] ?? '';
    socket.write(request.repeat(50));
    await eventually('the connection is closed', () => {
      // A paused socket detects the closed connection only when it writes.
      socket.write(request);
      return socket.closed;
    });
  });
});
