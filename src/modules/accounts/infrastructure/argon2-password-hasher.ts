import { randomBytes } from 'node:crypto';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

import { PasswordHasher } from '../application/ports/password-hasher.js';

/** OWASP's recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const ARGON2ID = '$argon2id$';

@Injectable()
export class Argon2PasswordHasher extends PasswordHasher implements OnModuleInit {
  /** The hash of a random password. */
  private decoy!: string;

  async onModuleInit(): Promise<void> {
    this.decoy = await this.hash(randomBytes(32).toString('base64'));
  }

  hash(password: string): Promise<string> {
    return hash(password, COST);
  }

  async verify(storedHash: string | null, password: string): Promise<boolean> {
    const isHash = storedHash?.startsWith(ARGON2ID) === true;
    const matches = await verify(isHash ? storedHash : this.decoy, password);
    return isHash && matches;
  }
}
