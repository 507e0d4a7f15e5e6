import { InitialSchema1795200000000 } from './1795200000000-initial-schema.js';
import { HouseholdInvitations1795210000000 } from './1795210000000-household-invitations.js';
import { Comments1795220000000 } from './1795220000000-comments.js';

/** In the order they run. */
export const migrations = [
  InitialSchema1795200000000,
  HouseholdInvitations1795210000000,
  Comments1795220000000,
];
