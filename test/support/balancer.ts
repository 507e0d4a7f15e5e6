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

const CHECK_EACH_MS = 100;

/** A connection is between two, and each says for itself whether it goes on. */
const withoutHop = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'connection'));

/**
 * A load balancer as plain as can be: it keeps connections open, asks each replica whether it is ready,
 * sends requests in turn to those that are, and never sends one twice.
 */
export async function startBalancer(
  origins: readonly string[],
): Promise<{ origin: string; stop: () => void }> {
  const agent = new Agent({ keepAlive: true });
  let ready: string[] = [];
  let turn = 0;

  const isReady = (origin: string): Promise<boolean> =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const check = async (): Promise<void> => {
    const answers = await Promise.all(origins.map(isReady));
    ready = origins.filter((_, n) => answers[n]);
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const origin = ready[(turn += 1) % ready.length] ?? '';
    const options = { agent, method: incoming.method, headers: withoutHop(incoming) };
    const onward = request(new URL(incoming.url ?? '/', origin), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, withoutHop(answer));
      answer.pipe(outgoing);
    });
    onward.on('error', ({ message }) => outgoing.writeHead(502).end(`${origin}: ${message}`));
    incoming.pipe(onward);
  };

  await check();
  const timer = setInterval(() => void check(), CHECK_EACH_MS);
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
