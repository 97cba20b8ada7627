import { createSecretKey } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

import { Config } from '../../../config/config.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import { type SessionClaims, SessionTokens } from '../application/ports/session-tokens.js';

const TWELVE_HOURS = 12 * 3_600;

/** HS256 JWTs. Tokens with another algorithm are refused. */
@Injectable()
export class JwtSessionTokens extends SessionTokens {
  readonly lifetimeSeconds = TWELVE_HOURS;
  private readonly jwt: JwtService;

  constructor(config: Config) {
    super();
    // From a string, jsonwebtoken would try to parse a public key for each token, which takes thirty times as long.
    const key = createSecretKey(deriveKey(config.appSecret, 'sessions').toString('base64'), 'utf8');
    this.jwt = new JwtService({
      secretOrKeyProvider: () => key,
      signOptions: { algorithm: 'HS256', expiresIn: TWELVE_HOURS },
      verifyOptions: { algorithms: ['HS256'] },
    });
  }

  issue({ sub, accountId, role, stamp }: SessionClaims): Promise<string> {
    return this.jwt.signAsync({ sub, accountId, role, stamp });
  }

  async verify(token: string): Promise<SessionClaims | null> {
    const claims = await this.jwt.verifyAsync<SessionClaims>(token).catch(() => null);
    return claims && isComplete(claims) ? claims : null;
  }
}

/** The user is looked up by all three claims, so each must be a string. */
const isComplete = ({ sub, accountId, stamp }: Partial<Record<keyof SessionClaims, unknown>>): boolean =>
  [sub, accountId, stamp].every((claim) => typeof claim === 'string');
