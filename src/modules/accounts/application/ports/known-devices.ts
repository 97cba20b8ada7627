/** Signed tokens that prove that users have signed in with a browser before. They authenticate nobody. */
export abstract class KnownDevices {
  /** The id of the device, or null if the token does not prove that the user has signed in with it. */
  abstract identify(token: string | undefined, userId: string | null): string | null;

  /** Adds the user to the token, or creates a token for a new device. */
  abstract remember(token: string | undefined, userId: string): string;
}
