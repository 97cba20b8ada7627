import { Injectable } from '@nestjs/common';
import { type Challenge, createChallenge, type Solution, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

import { Config } from '../../../config/config.js';
import { deriveKeys } from '../../../platform/crypto/aes-secret-box.js';
import { isRecord } from '../../../shared/is-record.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Throttles } from '../../accounts/index.js';
import { Challenges } from '../application/ports/challenges.js';

/** A browser needs a second or less; here, verifying a challenge that we have signed takes a single derivation. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' } as const;
const LIFETIME_MS = 600_000;

/**
 * Challenges are signed, and not stored until they are redeemed: then their signature is, until they expire. The time
 * is in their data, because the library would compare its own field with the clock of this process.
 */
@Injectable()
export class AltchaChallenges extends Challenges {
  /** The current one, and the previous one while APP_SECRET is being changed. */
  private readonly secrets: readonly string[];

  constructor(
    config: Config,
    private readonly throttles: Throttles,
    private readonly clock: Clock,
  ) {
    super();
    this.secrets = deriveKeys(config, 'form-challenges').flatMap((key) => key?.toString('hex') ?? []);
  }

  create(formId: string): Promise<object> {
    const data = { formId, expiresAt: this.clock.now().getTime() + LIFETIME_MS };
    return createChallenge({ ...WORK, deriveKey, data, hmacSignatureSecret: this.secrets[0] ?? '' });
  }

  async redeem(formId: string, text: string): Promise<boolean> {
    const given = readSolution(text);
    if (given === null || given.formId !== formId) return false;
    const { challenge, solution, expiresAt } = given;
    const now = this.clock.now();
    if (expiresAt <= now.getTime() || !(await this.isSolved(challenge, solution))) return false;
    const subject = { kind: 'challenge', value: challenge.signature } as const;
    return (await this.throttles.count(subject, now, new Date(expiresAt))).attempts === 1;
  }

  private async isSolved(challenge: Challenge, solution: Solution): Promise<boolean> {
    for (const hmacSignatureSecret of this.secrets)
      if ((await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified) return true;
    return false;
  }
}

interface GivenSolution {
  challenge: Challenge & { signature: string };
  solution: Solution;
  formId: unknown;
  expiresAt: number;
}

/** Null if the text does not have the form of a solution, for which the library would throw. */
function readSolution(text: string): GivenSolution | null {
  const { challenge, solution } = parseBase64Json(text);
  if (!isRecord(challenge) || !isRecord(solution)) return null;
  const { parameters, signature } = challenge;
  if (!isRecord(parameters) || typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return null;
  const { data, ...flat } = parameters;
  if (!isRecord(data) || [...Object.values(flat), ...Object.values(data)].some(isNested)) return null;
  if (typeof data.expiresAt !== 'number') return null;
  const signed = { parameters, signature } as unknown as Challenge & { signature: string };
  return {
    challenge: signed,
    solution: solution as unknown as Solution,
    formId: data.formId,
    expiresAt: data.expiresAt,
  };
}

function parseBase64Json(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
