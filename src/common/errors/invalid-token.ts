import { DomainError } from './domain-error.js';

/** Also when the account that a token names is gone. */
export const invalidToken = (): DomainError =>
  new DomainError('INVALID_TOKEN', 'Invalid authentication credentials');
