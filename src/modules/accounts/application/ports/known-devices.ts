import type { User } from '../../domain/user.js';

/** The stamp changes with the password, so a device is forgotten when the password changes. */
export type DeviceUser = Pick<User, 'id' | 'sessionStamp'>;

/**
 * Signed tokens that prove that users have signed in with a browser, using their current passwords. They are no
 * credentials.
 */
export abstract class KnownDevices {
  /** The id of the device, or null if the token does not prove that the user has signed in with it. */
  abstract identify(token: string | undefined, user: DeviceUser): string | null;

  /** Adds the user to the token, or creates a token for a new device. */
  abstract remember(token: string | undefined, user: DeviceUser): string;
}
