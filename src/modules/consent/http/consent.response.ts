import { ApiProperty } from '@nestjs/swagger';

import { type Actor, ACTOR_TYPES } from '../../../shared/actor.js';
import { type Channel, CHANNELS } from '../../../shared/channel.js';
import {
  CONSENT_ACTIONS,
  CONSENT_PURPOSES,
  CONSENT_SOURCES,
  type ConsentAction,
  type ConsentPurpose,
  type ConsentRecord,
  type ConsentSource,
  type EffectiveConsent,
} from '../domain/consent.js';
import type { CursorPage } from '../../../shared/cursor-page.js';

class WordingResponse {
  /** The version of the form's wording; null for words that came with the record. */
  @ApiProperty({ type: 'integer', nullable: true })
  version!: number | null;

  /** The words as they were when the person agreed. */
  text!: string;
}

class ActorResponse {
  /** `person`: the recipient; `user`, `key`: of the account; `system`: the service. */
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: Actor['type'];

  id!: string | null;
}

export class ConsentResponse {
  id!: string;

  @ApiProperty({ enum: CHANNELS })
  channel!: Channel;

  /**
   * As given, or in E.164. Of a person who has been erased, the hash of the address.
   * @example "ada@example.com"
   */
  address!: string;

  /** The contact of the address when it was recorded. */
  contactId!: string | null;

  @ApiProperty({ enum: CONSENT_PURPOSES })
  purpose!: ConsentPurpose;

  /** Null: for all topics. */
  topicId!: string | null;

  /** `requested`: a sign-up that was not confirmed yet. */
  @ApiProperty({ enum: CONSENT_ACTIONS })
  action!: ConsentAction;

  /** `preferences`: the page of an unsubscribe link; `sms`: a reply with a stop word. */
  @ApiProperty({ enum: CONSENT_SOURCES })
  source!: ConsentSource;

  /** When the person agreed or took it back. */
  occurredAt!: Date;
  recordedAt!: Date;
  wording!: WordingResponse | null;
  formId!: string | null;

  /** Null once the person has been erased, as `userAgent` and `evidence` are. */
  ip!: string | null;
  userAgent!: string | null;

  /** The message that asked for the consent, or by which it was taken back. */
  messageLogId!: string | null;
  evidence!: string | null;
  actor!: ActorResponse;

  static from(record: ConsentRecord): ConsentResponse {
    const { id, channel, address, contactId, purpose, topicId, action, source, occurredAt, recordedAt } = record;
    const { wording, formId, ip, userAgent, messageLogId, evidence, actor } = record;
    return {
      ...{ id, channel, address, contactId, purpose, topicId, action, source, occurredAt, recordedAt },
      ...{ wording, formId, ip, userAgent, messageLogId, evidence, actor },
    };
  }
}

export class ConsentPageResponse {
  items!: ConsentResponse[];

  /** Null on the last page. */
  nextCursor!: string | null;

  static from({ items, nextCursor }: CursorPage<ConsentRecord>): ConsentPageResponse {
    return { items: items.map((record) => ConsentResponse.from(record)), nextCursor };
  }
}

const STATES = ['granted', 'withdrawn', 'none'] as const;

export class StandingConsentResponse {
  @ApiProperty({ enum: CONSENT_PURPOSES })
  purpose!: ConsentPurpose;

  /** Null: for all topics that are not listed. */
  topicId!: string | null;

  @ApiProperty({ enum: STATES })
  state!: (typeof STATES)[number];

  since!: Date | null;

  /** The record that counts. */
  consentId!: string | null;

  static from({ purpose, topicId, state, since, consentId }: EffectiveConsent): StandingConsentResponse {
    return { purpose, topicId, state, since, consentId };
  }
}
