import type { RateLimitSettings } from '../config/settings.js';

/** `auth-address` limits the requests of a client network for all accounts together. */
export type PolicyName = 'authenticated' | 'reports' | 'auth' | 'auth-address';

export interface Policy {
  name: PolicyName;
  /** Requests per window. */
  quota: number;
  windowSeconds: number;
}

/** The policies for the configured limits. */
export function policiesOf(settings: RateLimitSettings): Record<PolicyName, Policy> {
  const hourly = (name: PolicyName, quota: number): Policy => ({
    name,
    quota,
    windowSeconds: 3600,
  });
  const minutely = (name: PolicyName, quota: number): Policy => ({
    name,
    quota,
    windowSeconds: 60,
  });
  return {
    authenticated: hourly('authenticated', settings.authenticatedPerHour),
    reports: hourly('reports', settings.reportsPerHour),
    auth: minutely('auth', settings.authPerMinute),
    'auth-address': minutely('auth-address', settings.authPerAddressPerMinute),
  };
}
