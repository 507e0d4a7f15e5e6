import { violatedConstraint } from '../platform/errors/database-failure.js';
import { AccessTokenError, DomainError } from '../platform/errors/domain-error.js';

/** A missing or invalid token, or one whose user no longer exists. */
export const invalidToken = (): DomainError =>
  new AccessTokenError('INVALID_TOKEN', 'Invalid authentication credentials');

/** An invalid token of a link that was sent by mail. */
export const invalidLink = (): DomainError =>
  new DomainError('INVALID_TOKEN', 'The token is unknown, used or expired');

export const inactiveUser = (): DomainError =>
  new DomainError('INACTIVE_USER', 'This account is not active');

const FOREIGN_KEY_VIOLATION = '23503';

/** The names of the foreign keys of records to the user that owns them. */
const OWNER_CONSTRAINT = /^fk_\w+_user_id$/;

/** A record's owner no longer exists: it was deleted after the token was checked. */
export const isOwnerViolation = (error: unknown): boolean =>
  OWNER_CONSTRAINT.test(violatedConstraint(error, FOREIGN_KEY_VIOLATION));
