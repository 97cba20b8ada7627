import { createSecretKey } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

import { SESSION_LIFETIME_SECONDS } from '../../../config/limits.js';
import { Config } from '../../../config/config.js';
import { deriveKeys } from '../../../platform/crypto/aes-secret-box.js';
import { type SessionClaims, SessionTokens } from '../application/ports/session-tokens.js';

/** HS256 JWTs. Tokens with another algorithm are refused. */
@Injectable()
export class JwtSessionTokens extends SessionTokens {
  readonly lifetimeSeconds = SESSION_LIFETIME_SECONDS;
  private readonly current: JwtService;
  private readonly previous: JwtService | undefined;

  constructor(config: Config) {
    super();
    const [current, previous] = deriveKeys(config, 'sessions');
    this.current = jwtWith(current);
    this.previous = previous && jwtWith(previous);
  }

  issue({ sub, accountId, role, stamp }: SessionClaims): Promise<string> {
    return this.current.signAsync({ sub, accountId, role, stamp });
  }

  async verify(token: string): Promise<SessionClaims | null> {
    const claims = (await read(token, this.current)) ?? (await read(token, this.previous));
    return claims && isComplete(claims) ? claims : null;
  }
}

function jwtWith(key: Buffer): JwtService {
  // From a string, jsonwebtoken would try to parse a public key for each token, which takes thirty times as long.
  const secret = createSecretKey(key.toString('base64'), 'utf8');
  return new JwtService({
    secretOrKeyProvider: () => secret,
    signOptions: { algorithm: 'HS256', expiresIn: SESSION_LIFETIME_SECONDS },
    verifyOptions: { algorithms: ['HS256'] },
  });
}

const read = async (token: string, jwt: JwtService | undefined): Promise<SessionClaims | null> =>
  (await jwt?.verifyAsync<SessionClaims>(token).catch(() => null)) ?? null;

/** The user is looked up by all three claims, so each must be a string. */
const isComplete = ({ sub, accountId, stamp }: Partial<Record<keyof SessionClaims, unknown>>): boolean =>
  [sub, accountId, stamp].every((claim) => typeof claim === 'string');
