/** Hashes passwords so that trying many of them is expensive. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;

  /** Returns false, after the same amount of hashing, if there is no argon2id hash to compare with. */
  abstract verify(hash: string | null, password: string): Promise<boolean>;
}
