import { ExpenseClient, type ExpenseClientOptions } from '../../clients/typescript/src/index.js';
import { useRelay, type HttpRelay } from './http-relay.js';
import { TEST_PASSWORD, type Service } from './service.js';

/** TypeScript clients that reach the service through a relay. */
export class RelayedClients {
  constructor(
    private readonly service: Service,
    readonly relay: HttpRelay,
  ) {}

  create(options: Partial<ExpenseClientOptions> = {}): ExpenseClient {
    return new ExpenseClient({ baseUrl: this.relay.url, ...options });
  }

  /** Creates a user and signs in. */
  async signUp(options: Partial<ExpenseClientOptions> = {}): Promise<ExpenseClient> {
    const { email } = await this.service.signUp();
    const client = this.create(options);
    await client.signIn({ email, password: TEST_PASSWORD });
    return client;
  }
}

export const useRelayedClients = (service: Service): RelayedClients =>
  new RelayedClients(
    service,
    useRelay(() => service.server),
  );
