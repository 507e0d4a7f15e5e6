/** The id of a user. A branded type, so that other ids are not accepted as an owner. */
export type UserId = string & { readonly brand: unique symbol };
