/** The id of a user. A branded type, so that other ids are not accepted as an owner. */
export type UserId = string & { readonly brand: unique symbol };

/** A user with the household that the user's records are stored with. */
export interface Owner {
  id: UserId;
  householdId: string;
}
