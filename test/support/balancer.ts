import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

const HEALTH_CHECK_INTERVAL_MS = 100;

/** `Connection` is a hop-by-hop header: a proxy must not forward it. */
const endToEndHeaders = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'connection'));

/**
 * A minimal round-robin load balancer: it keeps connections open, polls the readiness endpoint of
 * each replica, forwards requests to the ready ones, and never retries a request.
 */
export async function startBalancer(
  origins: readonly string[],
): Promise<{ origin: string; isReady: (origin: string) => boolean; stop: () => void }> {
  const agent = new Agent({ keepAlive: true });
  let ready: string[] = [];
  let requestCount = 0;

  const checkReadiness = (origin: string): Promise<boolean> =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const check = async (): Promise<void> => {
    const states = await Promise.all(origins.map(checkReadiness));
    ready = origins.filter((_, n) => states[n]);
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const origin = ready[(requestCount += 1) % ready.length] ?? '';
    const options = { agent, method: incoming.method, headers: endToEndHeaders(incoming) };
    const upstream = request(new URL(incoming.url ?? '/', origin), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, endToEndHeaders(response));
      response.pipe(outgoing);
    });
    upstream.on('error', ({ message }) => outgoing.writeHead(502).end(`${origin}: ${message}`));
    incoming.pipe(upstream);
  };

  await check();
  const timer = setInterval(() => void check(), HEALTH_CHECK_INTERVAL_MS);
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (origin) => ready.includes(origin),
    stop: () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
