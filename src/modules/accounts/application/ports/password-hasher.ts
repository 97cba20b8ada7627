/** Hashes passwords so that trying many of them is expensive. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;

  /** False, after the same work, if there is no argon2id hash to compare with. */
  abstract verify(hash: string | null, password: string): Promise<boolean>;
}
