import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a registry of prom-client offers, of one process or of all workers. */
interface MetricsSource {
  contentType: string;
  metrics: () => Promise<string>;
}

/** Serves /metrics on a port of its own, which is for Prometheus and not for the world. */
export async function startMetricsServer(
  source: MetricsSource,
  { port, host }: { port: number; host: string },
): Promise<{ port: number; close: () => void }> {
  const server: Server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
