import type { Requester } from '../platform/values/requester.js';
import type { User } from './user.entity.js';

/** What the user has chosen for forecasts and next cycles. */
export type PlanningDefaults = Pick<User, 'minimumBalance' | 'nextIncomeAmount'>;

/** The user of a request, as it was when the request began. The role is read when it is needed. */
export interface AuthenticatedUser extends Requester, PlanningDefaults {
  email: string;
  /** The session of the access token; undefined for a token of version 1.0, which names none. */
  sessionId?: string;
  /** The access of the personal access token; undefined for the token of a session. */
  tokenAccess?: 'read' | 'write';
}
