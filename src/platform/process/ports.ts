import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../config/settings.js';
import { OperatorError } from '../errors/domain-error.js';

type PortSetting = 'PORT' | 'METRICS_PORT';

/** The service cannot listen on a port of its settings. */
class PortError extends OperatorError {}

/** What to tell an operator when listening on the port of a setting failed; other errors as they are. */
export function explainPort(setting: PortSetting, error: unknown): unknown {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  const name = `Port ${String(port)}`;
  if (code === 'EADDRINUSE') {
    return new PortError(`${name} is in use; set ${setting} to another one`);
  }
  // Workers of a cluster listen by `bind`.
  if (code === 'EACCES' && (syscall === 'listen' || syscall === 'bind')) {
    return new PortError(`${name} needs root; set ${setting} to one above 1023`);
  }
  return error;
}

/**
 * Fails on a port in use before the database is created or migrated, which can take long. If
 * another process takes a port in the meantime, listening fails with the same error.
 *
 * @throws PortError
 */
export async function assertPortsAreFree({ port, metricsPort, host }: Settings): Promise<void> {
  const ports: [PortSetting, number | undefined][] = [
    ['PORT', port],
    ['METRICS_PORT', metricsPort],
  ];
  const servers = [];
  for (const [setting, number] of ports) {
    // 0 stands for any port.
    if (!number) continue;
    const server = createServer().listen(number, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw explainPort(setting, error);
    });
    // Stays open, so that both settings cannot have the same port.
    servers.push(server);
  }
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
}
