import type { User } from '../../domain/user.js';

/** Users of one account; the two look-ups that a person signs in by work across accounts. */
export abstract class UserRepository {
  abstract find(accountId: string, id: string): Promise<User | null>;
}
