import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A prom-client registry, of one process or aggregated from all workers. */
interface MetricsSource {
  contentType: string;
  metrics: () => Promise<string>;
}

/** Serves /metrics on a separate port, so that it need not be public. */
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
