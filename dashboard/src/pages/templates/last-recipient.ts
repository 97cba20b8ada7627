const KEY = 'last-test-recipient';

/** The recipient of the last test that this user sent from this browser; null if there was none. */
export function lastTestRecipient(userId: string): string | null {
  try {
    return localStorage.getItem(`${KEY}:${userId}`);
  } catch {
    return null; // storage is blocked
  }
}

export function rememberTestRecipient(userId: string, address: string): void {
  try {
    localStorage.setItem(`${KEY}:${userId}`, address);
  } catch {
    // Storage is blocked: then the next test starts with the user's own address.
  }
}
