/** The id of a user. A branded type, so that other ids are not accepted as an owner. */
export type UserId = string & { readonly brand: unique symbol };

/** A user with the household that the user's records are stored with. */
export interface Owner {
  id: UserId;
  householdId: string;
}

/** The claims of a valid access token. Whether its user and session exist has not been checked yet. */
export interface TokenSubject {
  userId: UserId;
  /** Undefined in tokens of version 1.0, which had no sessions. */
  sessionId?: string;
  /** Milliseconds since 1970, rounded down to seconds. */
  issuedAt: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}
