/** Signed tokens by which a browser shows that a user has signed in with it before. They authenticate nobody. */
export abstract class KnownDevices {
  /** The id of the device, or null where the token does not say that the user has signed in with it. */
  abstract identify(token: string | undefined, userId: string | null): string | null;

  /** A token for the device of the given one, if any, that names this user too. */
  abstract remember(token: string | undefined, userId: string): string;
}
