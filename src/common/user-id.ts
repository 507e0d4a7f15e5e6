/** The id of a user whose data a query is about. A brand, so that no other id passes for an owner. */
export type UserId = string & { readonly brand: unique symbol };
